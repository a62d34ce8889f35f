"""What a page says, without its marks."""

import re
from html import unescape


def text_of(page: str) -> str:
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", body).split()))
