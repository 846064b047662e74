"""Two index tables keep only the composite indexes that recall reads: one-column ones cost space and mislead the planner."""

import accounts.tenancy
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0004_live_memberships'),
        ('memories', '0005_negated_facts'),
    ]

    operations = [
        migrations.AlterField(
            model_name='embedding',
            name='subject',
            field=accounts.tenancy.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.subject'),
        ),
        migrations.AlterField(
            model_name='embedding',
            name='tenant',
            field=models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.tenant'),
        ),
        migrations.AlterField(
            model_name='posting',
            name='subject',
            field=accounts.tenancy.TenantForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.subject'),
        ),
        migrations.AlterField(
            model_name='posting',
            name='tenant',
            field=models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.tenant'),
        ),
    ]
