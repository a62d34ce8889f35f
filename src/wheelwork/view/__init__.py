"""Looking at mechanisms: in the browser, and as files to take away."""
