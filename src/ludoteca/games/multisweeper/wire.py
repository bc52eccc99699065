"""x"""
import msgspec
class Settings(msgspec.Struct, frozen=True):
    """x"""
class Conversation:
    """x"""
    def __init__(self, settings): ...
