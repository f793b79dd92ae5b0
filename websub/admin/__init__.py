"""Where an administrator looks into the hub: who follows what, what was tried, what was asked."""

from websub.admin.logs import AttemptAdmin, VerificationAdmin
from websub.admin.subscriptions import SubscriptionAdmin

__all__ = ["AttemptAdmin", "SubscriptionAdmin", "VerificationAdmin"]
