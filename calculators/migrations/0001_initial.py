import calculators.feedback.models
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Counter',
            fields=[
                ('key', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('hits', models.PositiveIntegerField()),
                ('expires', models.BigIntegerField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='DailyKey',
            fields=[
                ('day', models.DateField(default=calculators.feedback.models.today, primary_key=True, serialize=False)),
                ('secret', models.CharField(default=calculators.feedback.models.new_secret, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='ModerationEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('actor', models.CharField(blank=True, max_length=150)),
                ('action', models.CharField(choices=[('received', 'Received'), ('edited', 'Edited by its author'), ('withdrawn', 'Deleted by its author'), ('reported', 'Reported by a reader'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('spam', 'Marked as spam'), ('reopened', 'Put back into the queue'), ('erased', 'Text erased'), ('replied', 'Replied to'), ('reply-changed', 'Reply changed'), ('reply-removed', 'Reply removed'), ('purged', 'Old spam purged')], max_length=15)),
                ('reference', models.CharField(blank=True, db_index=True, max_length=10)),
                ('page', models.CharField(blank=True, max_length=50, verbose_name='tool')),
                ('state', models.CharField(blank=True, choices=[('pending', 'Waiting for review'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('spam', 'Spam')], max_length=10)),
                ('reasons', models.CharField(blank=True, max_length=120)),
                ('count', models.PositiveIntegerField(default=1)),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Feedback',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(default=calculators.feedback.models.new_reference, editable=False, max_length=10, unique=True)),
                ('page', models.SlugField(db_index=False, validators=[calculators.feedback.models.validate_page], verbose_name='tool')),
                ('kind', models.CharField(blank=True, choices=[('bug', 'Bug'), ('edge-case', 'Edge case'), ('suggestion', 'Suggestion'), ('praise', 'Praise'), ('question', 'Question')], max_length=20)),
                ('rating', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('name', models.CharField(blank=True, max_length=60)),
                ('text', models.TextField(blank=True)),
                ('state', models.CharField(choices=[('pending', 'Waiting for review'), ('approved', 'Approved'), ('rejected', 'Rejected'), ('spam', 'Spam')], default='pending', max_length=10)),
                ('reasons', models.CharField(blank=True, max_length=120)),
                ('sender', models.CharField(blank=True, max_length=64)),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('created', models.DateTimeField(default=django.utils.timezone.now)),
                ('changed', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'verbose_name': 'feedback',
                'verbose_name_plural': 'feedback',
                'ordering': ['-created', '-pk'],
                'indexes': [models.Index(fields=['page', 'state', '-created'], name='feedback_by_page'), models.Index(fields=['state', '-created'], name='feedback_by_state'), models.Index(fields=['fingerprint'], name='feedback_by_fingerprint')],
                'constraints': [models.CheckConstraint(condition=models.Q(('rating__isnull', True), models.Q(('rating__gte', 1), ('rating__lte', 5)), _connector='OR'), name='feedback_rating_from_1_to_5')],
            },
        ),
        migrations.CreateModel(
            name='Reply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=2000)),
                ('author', models.CharField(blank=True, editable=False, max_length=150)),
                ('created', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('feedback', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='replies', to='calculators.feedback')),
            ],
            options={
                'verbose_name_plural': 'replies',
                'ordering': ['created', 'pk'],
            },
        ),
    ]
