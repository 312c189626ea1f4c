package dev.peregrine.server.http1;

/** Lets benchmarks measure {@link WriteGate}. */
public final class WriteGateAccess {
  private final WriteGate gate;

  /** A gate that is open below so many bytes. */
  public WriteGateAccess(long bytesMax) {
    gate = new WriteGate(bytesMax);
  }

  /** Counts bytes in. */
  public void add(long bytes) {
    gate.add(bytes);
  }

  /** Counts bytes out. */
  public void passed(long bytes) {
    gate.passed(bytes);
  }

  /** Whether more may be added. */
  public boolean isOpen() {
    return gate.isOpen();
  }
}
