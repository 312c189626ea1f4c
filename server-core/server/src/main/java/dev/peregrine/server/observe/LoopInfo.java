package dev.peregrine.server.observe;

/**
 * The facts of an event loop that change as it runs. All methods may be called from any thread,
 * also after the end of the server.
 */
public interface LoopInfo {
  /** Returns the name of the loop and of its first thread: {@code peregrine-1-loop-0}. */
  String name();

  /** Returns true if the loop has ended, so that no listener is called on it any more. */
  boolean isOver();

  /** Returns the number of connections that are open, or on their way to this loop. */
  int connections();

  /** Returns the number of bytes that the loop's connections have received. Never decreases. */
  long bytesReceived();

  /**
   * Returns the number of bytes of the loop's connections that the system has taken to be sent.
   * Never decreases.
   */
  long bytesSent();

  /** Returns the direct memory that the loop's connections hold, in bytes. */
  long bufferBytesInUse();

  /** Returns the direct memory that the loop has taken from the system, in bytes, in use or not. */
  long bufferBytesReserved();

  /** Returns the direct memory that the loop has returned to the system, in bytes; a total. */
  long bufferBytesReturned();
}
