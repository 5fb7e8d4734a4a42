"""The kernel of a server that exports traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sanya.kernel.calls.dispatch import Kernel
from sanya.kernel.spans import collect_spans

if TYPE_CHECKING:
    from sanya.kernel.calls.attempt import CallAttempt
    from sanya.kernel.calls.call import Outcome


class TracedKernel(Kernel):
    """Collects the spans of each call, for an observer that exports them."""

    async def _carry_out(self, attempt: CallAttempt) -> Outcome:
        with collect_spans():
            return await super()._carry_out(attempt)
