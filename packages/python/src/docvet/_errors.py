"""Why there is no clean verdict."""

from typing import Optional


class DocvetError(Exception):
    """No verdict, for a reason that is not in the document: the service, the key, the quota, the network."""

    def __init__(self, code: str, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.code = code
        #: Of the response; None where there was none.
        self.status = status


class InfectedError(Exception):
    """Raised by ``assert_clean``."""

    def __init__(self, threat: str, scan_id: str) -> None:
        super().__init__(f"The document is infected: {threat}")
        self.threat = threat
        self.scan_id = scan_id


class UnscannableError(Exception):
    """Raised by ``assert_clean``: encrypted, damaged, too complex, too large, empty, or no document."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
