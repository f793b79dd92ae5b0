from django.dispatch import Signal

# Sent without arguments after the commit that updates the insights.
insights_refreshed = Signal()
