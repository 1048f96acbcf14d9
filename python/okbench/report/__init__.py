"""Web pages over results: the report and the league's pages."""
