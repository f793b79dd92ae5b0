"""Administration of the hub: subscriptions, delivery attempts, verifications."""

from websub.admin.logs import AttemptAdmin, VerificationAdmin
from websub.admin.subscriptions import SubscriptionAdmin

__all__ = ["AttemptAdmin", "SubscriptionAdmin", "VerificationAdmin"]
