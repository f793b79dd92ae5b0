"""Store what a business changed of its reviews, how much of names is public, and forgotten authors."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('reviews', '0007_vertical_confirmed'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
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
            },
        ),
        migrations.AlterModelOptions(
            name='review',
            options={'permissions': [('hide_review', 'Can hide and show reviews')]},
        ),
        # Web processes of the version before still read the column while they are replaced.
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name='review', name='shown_at')],
        ),
        migrations.AddField(
            model_name='business',
            name='author_names',
            field=models.CharField(choices=[('full', 'Full names'), ('first_name', 'First name and initial'), ('initials', 'Initials')], db_default='full', default='full', max_length=10),
        ),
        migrations.AddField(
            model_name='review',
            name='alteration',
            field=models.CharField(blank=True, choices=[('edited', 'Edited'), ('redacted', 'Redacted')], editable=False, max_length=10, null=True),
        ),
        migrations.AddField(
            model_name='review',
            name='is_author_forgotten',
            field=models.BooleanField(blank=True, editable=False, null=True),
        ),
        migrations.AlterField(
            model_name='review',
            name='hidden_reason',
            field=models.CharField(blank=True, choices=[('spam', 'Spam or fake'), ('not_a_customer', 'Not a customer'), ('personal_data', 'Personal data'), ('legal_request', 'Legal request'), ('duplicate', 'Duplicate'), ('other', 'Another reason'), ('absent', 'Absent from a complete file')], max_length=20, null=True),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('hidden', True)), fields=['hidden_reason'], name='review_hidden_reason'),
        ),
        migrations.AddField(
            model_name='forgottenauthor',
            name='forgotten_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL),
        ),
    ]
