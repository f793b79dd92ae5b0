"""Create the tables of insights."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('insights', '0001_initial'),
        ('insights', '0002_more_verticals'),
    ]

    initial = True

    dependencies = [
        ('reviews', '0001_squashed_0020_visits'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ChatAnswer',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('content', models.TextField()),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='ChatDay',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('reviews', models.PositiveIntegerField(default=0, help_text='Asked about.')),
                ('tokens', models.PositiveBigIntegerField(default=0)),
                ('fallbacks', models.PositiveIntegerField(default=0, help_text='Left to the rules.')),
            ],
            options={
                'verbose_name': 'day of the language model',
                'verbose_name_plural': 'days of the language model',
                'ordering': ['-day'],
            },
        ),
        migrations.CreateModel(
            name='AnalysisRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('reviews', 'New or changed reviews'), ('basis', 'Another taxonomy, roster or analyser'), ('asked', 'Asked for')], max_length=8)),
                ('basis', models.CharField(max_length=32)),
                ('model', models.CharField(max_length=100)),
                ('taxonomy', models.CharField(help_text='Vertical and version.', max_length=60)),
                ('total', models.PositiveIntegerField()),
                ('done', models.PositiveIntegerField(default=0)),
                ('started_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['-started_at', '-id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('finished_at', None)), fields=('basis',), name='run_once_at_a_time_per_basis')],
            },
        ),
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveBigIntegerField(default=0, help_text='Counts the builds.')),
                ('revision', models.PositiveBigIntegerField(default=0, help_text='Of the reviews it rests on.')),
                ('basis', models.CharField(blank=True, max_length=32)),
                ('shape', models.CharField(blank=True, help_text='Of the code that built it.', max_length=64)),
                ('taxonomy_version', models.PositiveIntegerField(default=1)),
                ('body', models.BinaryField(default=b'')),
                ('texts', models.JSONField(default=dict, help_text='Summary, quote and questions as the numbers alone have them, and as published.')),
                ('months', models.JSONField(default=dict, help_text='By month, like 2026-03: reviews, scores and their squares, summed.')),
                ('built_at', models.DateTimeField(null=True)),
                ('claimed_until', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='artifact_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='ReviewAnalysis',
            fields=[
                ('review', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='analysis', serialize=False, to='reviews.review')),
                ('review_updated_at', models.DateTimeField(help_text='Of the review that was read.')),
                ('text_sha256', models.CharField(max_length=64)),
                ('basis', models.CharField(help_text='Stands for the analyser, the taxonomy and the roster.', max_length=32)),
                ('model', models.CharField(help_text='Name and version of the analyser.', max_length=100)),
                ('sentiment', models.CharField(choices=[('positive', 'Positive'), ('neutral', 'Neutral'), ('negative', 'Negative')], max_length=8)),
                ('score', models.SmallIntegerField(help_text='Thousandths, from -1000 to 1000.')),
                ('record', models.TextField(help_text='JSON; see insights.findings.')),
                ('analysed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name_plural': 'review analyses',
                'constraints': [models.CheckConstraint(condition=models.Q(('score__gte', -1000), ('score__lte', 1000)), name='analysis_score_in_range'), models.CheckConstraint(condition=models.Q(('sentiment__in', ['positive', 'neutral', 'negative'])), name='analysis_sentiment_known')],
            },
        ),
        migrations.CreateModel(
            name='InsightText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('summary', 'Summary'), ('pull_quote', 'Pull quote'), ('faq', 'Question and answer')], max_length=10)),
                ('slug', models.CharField(blank=True, help_text='Of a question; else empty.', max_length=100)),
                ('question', models.CharField(blank=True, max_length=300)),
                ('text', models.TextField(blank=True, help_text='The summary, the quote or the answer; empty: the automatic one.')),
                ('source', models.CharField(choices=[('auto', 'Written from the numbers'), ('edited', 'Edited by hand'), ('llm', 'Written by a language model')], default='auto', max_length=6)),
                ('locked', models.BooleanField(default=False, help_text='Published even when a review that it rests on is gone.')),
                ('hidden', models.BooleanField(default=False, help_text='Nothing is published in its place.')),
                ('pinned', models.BooleanField(default=False, help_text='A question: among the first.')),
                ('evidence_ids', models.JSONField(blank=True, default=list, help_text='Ids of reviews.')),
                ('edited_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('edited_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'published text',
                'ordering': ['kind', 'slug'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'slug'), name='insight_text_once'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'faq'), models.Q(('slug', ''), _negated=True)), models.Q(models.Q(('kind', 'faq'), _negated=True), ('slug', '')), _connector='OR'), name='insight_text_slug_of_questions_alone'), models.CheckConstraint(condition=models.Q(models.Q(('source', 'auto'), ('text', '')), models.Q(models.Q(('source', 'auto'), _negated=True), models.Q(('text', ''), _negated=True)), _connector='OR'), name='insight_text_source_tells_whose_text')],
            },
        ),
        migrations.CreateModel(
            name='Override',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('path', models.CharField(help_text='sentiment, or what is corrected and its id: aspects.price, problems.no_show.', max_length=120)),
                ('value', models.CharField(choices=[('positive', 'Positive'), ('neutral', 'Neutral'), ('negative', 'Negative'), ('present', 'Present'), ('resolved', 'Resolved'), ('absent', 'Absent')], max_length=8)),
                ('text_sha256', models.CharField(help_text='Of the text it was made for.', max_length=64)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='overrides', to='reviews.review')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['review', 'path'],
                'constraints': [models.UniqueConstraint(fields=('review', 'path'), name='override_once_per_path'), models.CheckConstraint(condition=models.Q(models.Q(('path', 'sentiment'), ('value__in', ['positive', 'neutral', 'negative'])), models.Q(('path__startswith', 'aspects.'), ('value__in', ['positive', 'neutral', 'negative', 'absent'])), models.Q(('path__startswith', 'problems.'), ('value__in', ['present', 'resolved', 'absent'])), models.Q(('path__startswith', 'topics.'), ('value__in', ['present', 'absent'])), _connector='OR'), name='override_value_fits_path')],
            },
        ),
        migrations.CreateModel(
            name='Taxonomy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('vertical', models.CharField(choices=[('home_services', 'Home services'), ('auto_repair', 'Auto repair'), ('clinic', 'Clinic'), ('pet_services', 'Pets and vets'), ('senior_living', 'Senior living'), ('law_firm', 'Law firm'), ('education', 'School and courses'), ('restaurant', 'Restaurant'), ('hotel', 'Hotel'), ('attraction', 'Attraction'), ('hair_beauty', 'Hair and beauty'), ('fitness', 'Gym and fitness'), ('retail', 'Store'), ('generic', 'Other')], max_length=20)),
                ('version', models.PositiveIntegerField(blank=True, help_text='None: a draft.', null=True)),
                ('content', models.JSONField(help_text='As in the built-in taxonomies.')),
                ('edited_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('edited_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'taxonomies',
                'ordering': ['vertical', '-version'],
                'constraints': [models.UniqueConstraint(fields=('vertical', 'version'), name='taxonomy_version_once_per_vertical'), models.UniqueConstraint(condition=models.Q(('version', None)), fields=('vertical',), name='taxonomy_one_draft_per_vertical'), models.CheckConstraint(condition=models.Q(models.Q(('published_at__isnull', True), ('version__isnull', True)), models.Q(('published_at__isnull', False), ('version__gte', 1)), _connector='OR'), name='taxonomy_published_with_a_version')],
            },
        ),
    ]
