"""Web pages about results: the report and the pages of the league."""
