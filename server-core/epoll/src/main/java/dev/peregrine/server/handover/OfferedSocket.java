package dev.peregrine.server.handover;

/**
 * A listening socket on its way from one process to the next.
 *
 * @param endpoint the index of its endpoint; several sockets may have one
 * @param name the endpoint, as both processes describe it
 * @param descriptor the socket
 * @param shared true if a further process keeps it open, such as systemd
 */
record OfferedSocket(int endpoint, String name, int descriptor, boolean shared) {
  private static final String OWN = "own";
  private static final String SHARED = "shared";
  private static final int PARTS = 3;

  /** Returns the socket as a message describes it. */
  String describe() {
    return endpoint + " " + (shared ? SHARED : OWN) + " " + name;
  }

  /**
   * Reads the description of a message.
   *
   * @throws IllegalArgumentException if it isn't one
   */
  static OfferedSocket parse(String description, int descriptor) {
    String[] parts = description.split(" ", PARTS);
    if (parts.length != PARTS || !(parts[1].equals(OWN) || parts[1].equals(SHARED))) {
      throw new IllegalArgumentException("not a socket: " + description);
    }
    return new OfferedSocket(
        Integer.parseInt(parts[0]), parts[2], descriptor, parts[1].equals(SHARED));
  }
}
