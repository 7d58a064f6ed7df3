# Usage: pip install docvet, then DOCVET_KEY=dv_live_… python3 client.py FILE. Exit code: 0 clean, 1 infected, 2 no verdict.
import sys

from docvet import Docvet, DocvetError

try:
    result = Docvet(url="http://127.0.0.1:8080").scan(sys.argv[1])
except (DocvetError, OSError) as error:
    print(f"no verdict: {getattr(error, 'code', '')}: {error}", file=sys.stderr)
    sys.exit(2)
print({"infected": f"infected: {result.threat}", "refused": f"no verdict: {result.reason}"}.get(result.status, "clean"))
sys.exit({"clean": 0, "infected": 1}.get(result.status, 2))
