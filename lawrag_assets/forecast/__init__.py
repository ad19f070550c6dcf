"""What a run would ask of models, in calls, tokens, money and time, before it asks: `lawrag run --dry-run`.

`walk` goes the way of a run, `rates` says what a call or a text takes, `lines` is what comes out. Nothing here writes a file.
"""
