"""The web service: the pipeline of `qa` over HTTP, and the page that shows what it does.

Routes, what they take and give, limits, and the page's static files belong here. Opening a profile is `serving`'s concern, answering is
`qa`'s, building an index the command line's.
"""
