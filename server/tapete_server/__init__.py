"""The gRPC server of bots: services, validation at the border, warm-up and shutdown."""

from tapete_server.config import ServerConfig
from tapete_server.core import BotCore, Phase, Reply
from tapete_server.errors import ServerError, ServiceError
from tapete_server.server import RunningServer, serve, start_server
from tapete_server.status import write_status

__all__ = [
    "BotCore",
    "Phase",
    "Reply",
    "RunningServer",
    "ServerConfig",
    "ServerError",
    "ServiceError",
    "serve",
    "start_server",
    "write_status",
]
