"""Reads TOML texts (a JSON list on stdin) with python's tomllib; prints a JSON list of what it read, or of {"error": …}."""
import json
import sys
import tomllib

results = []
for text in json.load(sys.stdin):
    try:
        results.append(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        results.append({"error": str(error)})
print(json.dumps(results))
