"""Django: a validator for files that are uploaded."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError

from . import Docvet, DocvetError
from ._answer import REFUSALS


def _client() -> Docvet:
    return Docvet(getattr(settings, "DOCVET_URL", None), getattr(settings, "DOCVET_KEY", None))


def validate_clean(file: Any) -> None:
    """``models.FileField(validators=[validate_clean])``, or of a form. Without a verdict the file is refused, too."""
    # Whatever another validator has read: what is stored is the whole file.
    file.seek(0)
    try:
        result = _client().scan(file, file_name=str(file.name))
    except DocvetError as error:
        raise ValidationError("The document could not be scanned. Try again later.", code="scan_failed") from error
    if result.status == "infected":
        raise ValidationError("The document is infected.", code="infected_document")
    if result.status != "clean":
        raise ValidationError(REFUSALS[result.reason or ""], code=result.reason)
