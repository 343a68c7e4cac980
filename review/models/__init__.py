"""What waits for reviewers, and what they did."""

from review.models.acts import ReviewAct
from review.models.cases import Case, Filing, Note
from review.models.choices import ActKind, CaseKind, Outcome

__all__ = ["ActKind", "Case", "CaseKind", "Filing", "Note", "Outcome", "ReviewAct"]
