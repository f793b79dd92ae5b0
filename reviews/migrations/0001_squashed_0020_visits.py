"""Create the tables of reviews and the index of their texts.

On SQLite, `reviews_text_trigrams` (FTS5) has the trigrams of visible texts with their positions, and
no text. Triggers keep it: a later migration that makes Django rebuild the table of reviews must make
them again. PostgreSQL has an index of trigrams (`pg_trgm`) of all reviews, and knows how common each
one is from a sample of twice the usual size: with less it guesses where a text is too long to keep.
"""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

SQLITE = [
    """
    CREATE VIRTUAL TABLE reviews_text_trigrams USING fts5(
        text_folded, content='', tokenize='trigram case_sensitive 1', columnsize=0
    )
    """,
    """
    CREATE TRIGGER reviews_text_insert AFTER INSERT ON reviews_review
    WHEN NEW.text_folded <> '' AND NOT NEW.hidden
    BEGIN
        INSERT INTO reviews_text_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);
    END
    """,
    """
    CREATE TRIGGER reviews_text_delete AFTER DELETE ON reviews_review
    WHEN OLD.text_folded <> '' AND NOT OLD.hidden
    BEGIN
        INSERT INTO reviews_text_trigrams (reviews_text_trigrams, rowid, text_folded)
        VALUES ('delete', OLD.id, OLD.text_folded);
    END
    """,
    # In two steps, since a review can enter or leave the index, or change in it.
    """
    CREATE TRIGGER reviews_text_out BEFORE UPDATE OF text_folded, hidden ON reviews_review
    WHEN OLD.text_folded <> '' AND NOT OLD.hidden
        AND (OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)
    BEGIN
        INSERT INTO reviews_text_trigrams (reviews_text_trigrams, rowid, text_folded)
        VALUES ('delete', OLD.id, OLD.text_folded);
    END
    """,
    """
    CREATE TRIGGER reviews_text_in AFTER UPDATE OF text_folded, hidden ON reviews_review
    WHEN NEW.text_folded <> '' AND NOT NEW.hidden
        AND (OLD.text_folded <> NEW.text_folded OR OLD.hidden <> NEW.hidden)
    BEGIN
        INSERT INTO reviews_text_trigrams (rowid, text_folded) VALUES (NEW.id, NEW.text_folded);
    END
    """,
]
POSTGRESQL = [
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX review_text_trigrams ON reviews_review USING gin (text_folded gin_trgm_ops)",
    "ALTER TABLE reviews_review ALTER COLUMN text_folded SET STATISTICS 200",
]


def index_texts(apps, schema_editor):
    is_postgresql = schema_editor.connection.vendor == "postgresql"
    for statement in POSTGRESQL if is_postgresql else SQLITE:
        schema_editor.execute(statement)


class Migration(migrations.Migration):

    replaces = [
        ('reviews', '0001_initial'),
        ('reviews', '0002_text_indexes'),
        ('reviews', '0003_deletion_and_hiding'),
        ('reviews', '0004_trace_hidden_reviews'),
        ('reviews', '0005_publication_times'),
        ('reviews', '0006_search_filters'),
        ('reviews', '0007_vertical_confirmed'),
        ('reviews', '0008_integrity'),
        ('reviews', '0009_mark_earlier_edits'),
        ('reviews', '0010_hidden_at_index'),
        ('reviews', '0011_import_answers'),
        ('reviews', '0012_forgotten_people_names'),
        ('reviews', '0013_text_trigrams'),
        ('reviews', '0014_listed_reviews_counted_by_index'),
        ('reviews', '0015_import_tries'),
        ('reviews', '0016_logo_and_review_links'),
        ('reviews', '0017_first_steps'),
        ('reviews', '0018_photos'),
        ('reviews', '0019_more_verticals'),
        ('reviews', '0020_visits'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Business',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('slug', models.CharField(max_length=100, validators=[django.core.validators.RegexValidator('\\A[a-z0-9]+(-[a-z0-9]+)*\\Z', 'Use lower-case letters and digits joined by single hyphens.')])),
                ('name', models.CharField(max_length=200)),
                ('legal_name', models.CharField(blank=True, max_length=200)),
                ('description', models.TextField(blank=True)),
                ('vertical', models.CharField(choices=[('home_services', 'Home services'), ('auto_repair', 'Auto repair'), ('clinic', 'Clinic'), ('pet_services', 'Pets and vets'), ('senior_living', 'Senior living'), ('law_firm', 'Law firm'), ('education', 'School and courses'), ('restaurant', 'Restaurant'), ('hotel', 'Hotel'), ('attraction', 'Attraction'), ('hair_beauty', 'Hair and beauty'), ('fitness', 'Gym and fitness'), ('retail', 'Store'), ('generic', 'Other')], default='generic', max_length=20)),
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
                ('vertical_confirmed', models.BooleanField(db_default=False, default=False, editable=False, help_text='Somebody chose it; it is not just the default.')),
                ('author_names', models.CharField(choices=[('full', 'Full names'), ('first_name', 'First name and initial'), ('initials', 'Initials')], db_default='full', default='full', max_length=10)),
                ('review_links', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='Where customers write a review: a list of addresses.')),
                ('first_steps_done_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('photos', models.CharField(choices=[('off', 'Kept, not published'), ('links', 'Published as links'), ('images', 'Shown on the pages, loaded from their site')], db_default='off', default='off', max_length=10, verbose_name='photos of customers')),
            ],
            options={
                'verbose_name_plural': 'business',
            },
        ),
        migrations.CreateModel(
            name='ColumnMapping',
            fields=[
                ('signature', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('columns', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='DeletedReview',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ulid', models.CharField(db_index=True, max_length=26, verbose_name='id')),
                ('kept_out', models.BooleanField(default=True)),
                ('merge_key', models.CharField(blank=True, max_length=32)),
                ('content', models.CharField(blank=True, max_length=32)),
                ('source', models.CharField(blank=True, max_length=50)),
                ('rating', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('date', models.DateField(blank=True, null=True, verbose_name='day of the review')),
                ('deleted_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['-deleted_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ForgottenAuthor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name_digest', models.CharField(editable=False, max_length=32, unique=True)),
                ('reviews', models.PositiveIntegerField(default=0, verbose_name='reviews at that time')),
                ('forgotten_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['-forgotten_at', '-id'],
                'verbose_name': 'forgotten person',
                'verbose_name_plural': 'forgotten people',
            },
        ),
        migrations.CreateModel(
            name='ImportAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('place', 'Place'), ('status', 'Status'), ('publication', 'Column about publication')], max_length=12)),
                ('subject', models.CharField(max_length=250)),
                ('answer', models.CharField(choices=[('ours', 'is ours'), ('other', "is another business's"), ('public', 'is public'), ('hidden', 'is not public'), ('published', 'yes means that it may be published'), ('withheld', 'yes means that it must not be published'), ('ignore', 'says nothing about publication')], max_length=12)),
                ('answered_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'answer for imports',
                'verbose_name_plural': 'answers for imports',
                'ordering': ['kind', 'subject'],
            },
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
                ('last_failure', models.TextField(blank=True, editable=False, null=True)),
                ('tried_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('tries', models.PositiveSmallIntegerField(db_default=0, default=0, editable=False)),
            ],
            options={
                'verbose_name': 'import',
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='ImportChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('row', models.PositiveIntegerField()),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name='Mention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('technician', 'Technician'), ('service', 'Service'), ('area', 'Area')], max_length=10)),
                ('subject', models.CharField(max_length=100)),
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
                ('hidden_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('hidden_reason', models.CharField(blank=True, choices=[('spam', 'Spam or fake'), ('not_a_customer', 'Not a customer'), ('personal_data', 'Personal data'), ('legal_request', 'Legal request'), ('duplicate', 'Duplicate'), ('other', 'Another reason'), ('absent', 'Absent from a complete file')], max_length=20, null=True)),
                ('published_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('language', models.CharField(blank=True, editable=False, max_length=8, null=True)),
                ('alteration', models.CharField(blank=True, choices=[('edited', 'Edited'), ('redacted', 'Redacted')], editable=False, max_length=10, null=True)),
                ('is_author_forgotten', models.BooleanField(blank=True, editable=False, null=True)),
                ('photos', models.JSONField(blank=True, null=True)),
            ],
            options={
                'permissions': [('hide_review', 'Can hide and show reviews')],
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
            },
        ),
        migrations.CreateModel(
            name='Visit',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('seen_at', models.DateTimeField()),
                ('previous_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Logo',
            fields=[
                ('business', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='logo', serialize=False, to='reviews.business')),
                ('png', models.BinaryField()),
                ('width', models.PositiveSmallIntegerField()),
                ('height', models.PositiveSmallIntegerField()),
                ('digest', models.CharField(help_text='Of the PNG; it names the version.', max_length=32)),
            ],
        ),
        migrations.AddConstraint(
            model_name='business',
            constraint=models.CheckConstraint(condition=models.Q(('id', 1)), name='business_is_one_row'),
        ),
        migrations.AddConstraint(
            model_name='business',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('latitude__isnull', True), ('longitude__isnull', True)), models.Q(('latitude__isnull', False), ('longitude__isnull', False)), _connector='OR'), name='business_geo_is_whole'),
        ),
        migrations.AddField(
            model_name='deletedreview',
            name='deleted_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='forgottenauthor',
            name='forgotten_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='importanswer',
            constraint=models.UniqueConstraint(fields=('kind', 'subject'), name='answer_once_per_subject'),
        ),
        migrations.CreateModel(
            name='ImportUpload',
            fields=[
                ('batch', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='reviews.importbatch')),
                ('content', models.BinaryField()),
            ],
        ),
        migrations.AddField(
            model_name='importbatch',
            name='created_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='importchange',
            name='batch',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='reviews.importbatch'),
        ),
        migrations.AddField(
            model_name='review',
            name='changed_by_batch',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='changed_reviews', to='reviews.importbatch'),
        ),
        migrations.AddField(
            model_name='review',
            name='created_by_batch',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='created_reviews', to='reviews.importbatch'),
        ),
        migrations.AddField(
            model_name='review',
            name='hidden_by',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='mention',
            name='review',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='reviews.review'),
        ),
        migrations.AddField(
            model_name='importchange',
            name='review',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='import_changes', to='reviews.review'),
        ),
        migrations.AddConstraint(
            model_name='technician',
            constraint=models.CheckConstraint(condition=models.Q(('active_from__isnull', True), ('active_to__isnull', True), ('active_from__lte', models.F('active_to')), _connector='OR'), name='technician_active_in_order'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', False)), fields=['rating', '-date', '-ulid'], name='review_rating_newest'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(fields=['modified_at'], name='review_modified_at'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', True)), fields=['hidden_reason'], name='review_hidden_reason'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', True)), fields=['hidden_at'], name='review_hidden_at'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', False)), fields=['-date', '-ulid', 'rating', 'source', 'language', 'reply_date', 'modified_at', 'hidden'], name='review_listed'),
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
            model_name='review',
            constraint=models.UniqueConstraint(condition=models.Q(('published_at__isnull', False)), fields=('published_at',), name='review_published_at'),
        ),
        migrations.AddConstraint(
            model_name='mention',
            constraint=models.UniqueConstraint(fields=('kind', 'subject', 'review'), name='mention_once_per_review'),
        ),
        migrations.AddConstraint(
            model_name='importchange',
            constraint=models.UniqueConstraint(fields=('batch', 'review'), name='change_once_per_batch'),
        ),
        migrations.RunPython(index_texts),
    ]
