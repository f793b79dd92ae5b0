import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ColumnMapping',
            fields=[
                ('signature', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('columns', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='ImportBatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('uploaded', 'Uploaded'), ('reading', 'Being read'), ('previewed', 'Waiting for your decision'), ('applying', 'Being applied'), ('applied', 'Applied'), ('refused', 'Refused'), ('cancelled', 'Cancelled'), ('undoing', 'Being undone'), ('undone', 'Undone')], default='uploaded', max_length=10)),
                ('file_name', models.CharField(max_length=255)),
                ('sha256', models.CharField(db_index=True, max_length=64)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('format', models.CharField(blank=True, max_length=40)),
                ('encoding', models.CharField(blank=True, max_length=20)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('rows', models.PositiveIntegerField(default=0)),
                ('rows_done', models.PositiveIntegerField(default=0)),
                ('new', models.PositiveIntegerField(default=0)),
                ('changed', models.PositiveIntegerField(default=0)),
                ('unchanged', models.PositiveIntegerField(default=0)),
                ('skipped', models.PositiveIntegerField(default=0)),
                ('errors', models.JSONField(blank=True, default=list)),
                ('warnings', models.JSONField(blank=True, default=list)),
                ('preview', models.JSONField(blank=True, default=dict)),
                ('refusal', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('applied_at', models.DateTimeField(blank=True, null=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
                ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'import',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('changed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='Service',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=100, unique=True, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')], verbose_name='id')),
                ('label', models.CharField(max_length=200)),
                ('keywords', models.JSONField(blank=True, default=list, help_text='Phrases that mean it, a list of texts; a trailing * stands for any ending.')),
            ],
            options={
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='ServiceArea',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=100, unique=True, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')], verbose_name='id')),
                ('name', models.CharField(max_length=200)),
                ('aliases', models.JSONField(blank=True, default=list, help_text='Other names of the place, a list of texts.')),
            ],
            options={
                'ordering': ['slug'],
            },
        ),
        migrations.CreateModel(
            name='Business',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('slug', models.CharField(max_length=100, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')])),
                ('name', models.CharField(max_length=200)),
                ('legal_name', models.CharField(blank=True, max_length=200)),
                ('description', models.TextField(blank=True)),
                ('vertical', models.CharField(choices=[('home_services', 'Home services'), ('clinic', 'Clinic'), ('law_firm', 'Law firm'), ('restaurant', 'Restaurant'), ('senior_living', 'Senior living'), ('generic', 'Other')], default='generic', max_length=20)),
                ('language', models.CharField(default='en', help_text='Like en or en-GB.', max_length=10)),
                ('url', models.URLField(blank=True)),
                ('logo_url', models.URLField(blank=True)),
                ('same_as', models.JSONField(blank=True, default=list, help_text='Profiles elsewhere: a list of addresses.')),
                ('phone', models.CharField(blank=True, max_length=40)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('street', models.CharField(blank=True, max_length=200)),
                ('city', models.CharField(blank=True, max_length=100)),
                ('region', models.CharField(blank=True, max_length=100)),
                ('postal_code', models.CharField(blank=True, max_length=20)),
                ('country', models.CharField(blank=True, help_text='Two letters, like US.', max_length=2)),
                ('latitude', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(-90), django.core.validators.MaxValueValidator(90)])),
                ('longitude', models.FloatField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(-180), django.core.validators.MaxValueValidator(180)])),
                ('time_zone', models.CharField(default='UTC', help_text='IANA name, like America/Los_Angeles.', max_length=50)),
                ('hours', models.JSONField(blank=True, default=list, help_text='A list like [{"day": "monday", "opens": "08:00", "closes": "17:00"}].')),
                ('license', models.CharField(blank=True, max_length=200)),
                ('attribution', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'verbose_name_plural': 'business',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='business_is_one_row'), models.CheckConstraint(condition=models.Q(models.Q(('latitude__isnull', True), ('longitude__isnull', True)), models.Q(('latitude__isnull', False), ('longitude__isnull', False)), _connector='OR'), name='business_geo_is_whole')],
            },
        ),
        migrations.CreateModel(
            name='ImportUpload',
            fields=[
                ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='reviews.importbatch')),
                ('content', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ulid', models.CharField(editable=False, max_length=26, unique=True, verbose_name='id')),
                ('source', models.CharField(max_length=50, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')])),
                ('external_id', models.CharField(help_text='Its id at the source.', max_length=255)),
                ('external_id_is_synthetic', models.BooleanField(default=False)),
                ('author', models.CharField(default='Anonymous', max_length=200)),
                ('author_avatar_url', models.URLField(blank=True, max_length=1000)),
                ('rating', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)])),
                ('date', models.DateField(help_text="Calendar day in the business's time zone.")),
                ('text', models.TextField(blank=True, help_text='Empty for stars without words.')),
                ('translated_text', models.TextField(blank=True)),
                ('text_language', models.CharField(blank=True, max_length=20)),
                ('source_url', models.URLField(blank=True, max_length=1000)),
                ('reply_text', models.TextField(blank=True)),
                ('reply_date', models.DateField(blank=True, null=True)),
                ('verified', models.BooleanField(default=False)),
                ('hidden', models.BooleanField(default=False, help_text='A hidden review appears in no public document, count or insight.')),
                ('named_technicians', models.JSONField(blank=True, default=list, editable=False)),
                ('named_services', models.JSONField(blank=True, default=list, editable=False)),
                ('edited_fields', models.JSONField(blank=True, default=list, editable=False)),
                ('source_updated_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('updated_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('modified_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('text_folded', models.TextField(blank=True, editable=False)),
                ('fragment', models.TextField(editable=False)),
                ('changed_by_batch', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='changed_reviews', to='reviews.importbatch')),
                ('created_by_batch', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='created_reviews', to='reviews.importbatch')),
            ],
        ),
        migrations.CreateModel(
            name='Mention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('technician', 'Technician'), ('service', 'Service'), ('area', 'Area')], max_length=10)),
                ('subject', models.CharField(max_length=100)),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='reviews.review')),
            ],
        ),
        migrations.CreateModel(
            name='ImportChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.PositiveIntegerField()),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='reviews.importbatch')),
                ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='import_changes', to='reviews.review')),
            ],
        ),
        migrations.CreateModel(
            name='Technician',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=100, unique=True, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')], verbose_name='id')),
                ('name', models.CharField(max_length=200)),
                ('aliases', models.JSONField(blank=True, default=list, help_text='Other names, a list of texts. Capitalised ones match capitalised words alone.')),
                ('active_from', models.DateField(blank=True, null=True)),
                ('active_to', models.DateField(blank=True, null=True)),
            ],
            options={
                'ordering': ['slug'],
                'constraints': [models.CheckConstraint(condition=models.Q(('active_from__isnull', True), ('active_to__isnull', True), ('active_from__lte', models.F('active_to')), _connector='OR'), name='technician_active_in_order')],
            },
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', False)), fields=['-date', '-ulid'], name='review_newest'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', False)), fields=['rating', '-date', '-ulid'], name='review_rating_newest'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.UniqueConstraint(fields=('source', 'external_id'), name='review_merge_key'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('rating__gte', 1), ('rating__lte', 5)), name='review_rating_1_to_5'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('reply_date__isnull', True), ('reply_text', '')), models.Q(models.Q(('reply_text', ''), _negated=True), ('reply_date__isnull', False)), _connector='OR'), name='review_reply_is_whole'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('author', ''), _negated=True), name='review_author_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='review',
            constraint=models.CheckConstraint(condition=models.Q(('source', ''), _negated=True), name='review_source_not_empty'),
        ),
        migrations.AddConstraint(
            model_name='mention',
            constraint=models.UniqueConstraint(fields=('kind', 'subject', 'review'), name='mention_once_per_review'),
        ),
        migrations.AddConstraint(
            model_name='importchange',
            constraint=models.UniqueConstraint(fields=('batch', 'review'), name='change_once_per_batch'),
        ),
    ]
