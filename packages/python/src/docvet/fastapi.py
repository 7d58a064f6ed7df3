"""FastAPI: dependencies for files that are uploaded."""

from typing import Any, Awaitable, Callable, List, Optional

from fastapi import File, HTTPException, UploadFile

from . import AsyncDocvet, DocvetError
from ._answer import REFUSALS


def require_clean(docvet: Optional[AsyncDocvet] = None, *, field: str = "file") -> Callable[..., Awaitable[UploadFile]]:
    """``file: UploadFile = Depends(require_clean())``: 422 for a file that is not clean, 503 without a verdict."""
    client = docvet or AsyncDocvet()

    async def checked(upload: UploadFile = File(..., alias=field)) -> Any:
        return await _checked(client, upload)

    return checked


def require_all_clean(
    docvet: Optional[AsyncDocvet] = None, *, field: str = "files"
) -> Callable[..., Awaitable["list[UploadFile]"]]:
    """``files: list[UploadFile] = Depends(require_all_clean())``: one that is not clean refuses all."""
    client = docvet or AsyncDocvet()

    async def checked(uploads: List[UploadFile] = File(..., alias=field)) -> Any:
        return [await _checked(client, upload) for upload in uploads]

    return checked


async def _checked(client: AsyncDocvet, upload: UploadFile) -> UploadFile:
    # Whatever another dependency has read: the handler gets the whole file.
    await upload.seek(0)
    try:
        result = await client.scan(upload.file, file_name=upload.filename or None)
    except DocvetError as error:
        detail = {"code": "scan_failed", "detail": "The document could not be scanned. Try again later."}
        raise HTTPException(503, detail) from error
    if result.status == "infected":
        raise HTTPException(422, {"code": "infected_document", "detail": "The document is infected."})
    if result.status != "clean":
        raise HTTPException(422, {"code": result.reason, "detail": REFUSALS[result.reason or ""]})
    await upload.seek(0)
    return upload
