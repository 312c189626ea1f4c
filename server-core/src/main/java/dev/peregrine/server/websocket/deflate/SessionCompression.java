package dev.peregrine.server.websocket.deflate;

/** The compression of a session, in both directions. Used by its event loop's thread only. */
public final class SessionCompression implements AutoCloseable {
  private final DeflateParameters parameters;
  private final MessageDeflater deflater;
  private final MessageInflater inflater;

  SessionCompression(
      DeflateParameters parameters, MessageDeflater deflater, MessageInflater inflater) {
    this.parameters = parameters;
    this.deflater = deflater;
    this.inflater = inflater;
  }

  /** Returns the parameters to answer. */
  public DeflateParameters parameters() {
    return parameters;
  }

  /** Returns the compressor of the server's messages. */
  public MessageDeflater deflater() {
    return deflater;
  }

  /** Returns the decompressor of the client's messages. */
  public MessageInflater inflater() {
    return inflater;
  }

  /** Gives back all memory, also in the middle of messages. Further calls have no effect. */
  @Override
  public void close() {
    deflater.close();
    inflater.close();
  }
}
