"""FastAPI: a dependency for files that are uploaded."""

from typing import Any, Awaitable, Callable, Optional

from fastapi import File, HTTPException, UploadFile

from . import AsyncDocvet, DocvetError


def require_clean(docvet: Optional[AsyncDocvet] = None, *, field: str = "file") -> Callable[..., Awaitable[UploadFile]]:
    """``file: UploadFile = Depends(require_clean())``: 422 for a file that is not clean, 503 without a verdict."""
    client = docvet or AsyncDocvet()

    async def checked(upload: UploadFile = File(..., alias=field)) -> Any:
        try:
            result = await client.scan(upload.file, file_name=upload.filename or None)
        except DocvetError as error:
            detail = {"code": "scan_failed", "detail": "The document could not be scanned. Try again later."}
            raise HTTPException(503, detail) from error
        if result.status == "infected":
            raise HTTPException(422, {"code": "infected_document", "detail": "The document is infected."})
        if result.status != "clean":
            raise HTTPException(422, {"code": result.reason, "detail": result.detail})
        await upload.seek(0)
        return upload

    return checked
