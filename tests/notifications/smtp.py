"""A mail server on loopback that stores received messages."""

import contextlib
import email
import socketserver
import threading
from email.message import Message


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 tern.example")
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb == "DATA":
                self.say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                body = b"".join(part.removeprefix(b".") for part in lines)
                self.server.received.append(email.message_from_bytes(body))
                self.server.on_message(self.server.received[-1])
                self.say("250 kept")
            elif verb == "RCPT" and self.server.refuses:
                self.say("550 no such user")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")

    def say(self, line):
        with contextlib.suppress(OSError):
            self.wfile.write(f"{line}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    received: list[Message]
    refuses = False

    def on_message(self, message: Message) -> None:
        """Handle a message. A test may replace this."""


@contextlib.contextmanager
def mail_server():
    with MailServer(("127.0.0.1", 0), Handler) as server:
        server.received = []
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
