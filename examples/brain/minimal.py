"""The smallest brain in Python, standard library only: it says back what it heard."""
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Brain(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for word in f"You said: {body['query']}".split():
            self.wfile.write(f"data: {json.dumps(word + ' ')}\n\n".encode())
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Brain)
print(f"a brain listens on port {server.server_port}", flush=True)
server.serve_forever()
