"""Sphinx configuration. Build with `./wheelwork-dev docs`; nothing here needs the network, nor does the result."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER / "ext"), str(FOLDER.parent)]  # the second for `benchmarks` and `builders`

project = "Wheelwork"
author = "The Wheelwork founders"
copyright = "2026, The Wheelwork founders"
release = installed_version("wheelwork")
version = ".".join(release.split(".")[:2])

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_design",
    "sphinx-mathjax-offline",  # formulas show without a network
    "wheelwork_docs",  # ext/: data sheets of the elements, tables of units and functions, docstrings for autodoc
]
exclude_patterns = ["_build", "generated", "jupyter_execute", "**/.ipynb_checkpoints"]
nitpicky = False

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_cache_path = str(Path(__file__).parent / "_build" / "jupyter_cache")
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_render_markdown_format = "myst"  # outputs of cells have formulas and tables

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = "Wheelwork"
html_static_path = ["_static", "generated/static"]
(Path(__file__).parent / "generated" / "static").mkdir(parents=True, exist_ok=True)  # ext/gallery.py fills it
html_css_files = ["wheelwork.css"]
html_js_files = ["film.js"]
html_theme_options = {
    "header_links_before_dropdown": 5,
    "show_prev_next": True,
    "navigation_with_keys": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
# pages that stand alone have no section to navigate
html_sidebars = {
    name: [] for name in ("getting-started", "gearbox-from-nothing", "gallery", "references", "develop/*")
}
html_copy_source = False
html_show_sourcelink = False
