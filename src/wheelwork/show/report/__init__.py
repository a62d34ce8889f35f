"""Reports of results as one HTML file, and pictures of mechanisms."""

from .page import report_page, write_report

__all__ = ["report_page", "write_report"]
