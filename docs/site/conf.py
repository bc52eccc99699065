"""How Sphinx makes the documentation: see build.py, which calls it."""

from pathlib import Path

project = "Ludoteca"
extensions = ["myst_parser"]
exclude_patterns: list[str] = []
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
# Nothing is looked up elsewhere, and everything that leads nowhere stops the build.
nitpicky = True
html_theme = "theme"
html_theme_path = [str(Path(__file__).parent)]
html_title = "Ludoteca"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
html_permalinks_icon = "#"
html_context = {"language": "en"}
# What a house may be asked with its security policy: no style or script inside a page.
html_codeblock_linenos_style = "table"
pygments_style = "tango"
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]
