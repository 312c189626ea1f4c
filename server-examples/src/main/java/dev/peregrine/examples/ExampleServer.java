package dev.peregrine.examples;

/** The combined example server. */
public final class ExampleServer {
  private ExampleServer() {}

  /** Starts the server. */
  public static void main(String[] args) {
    System.out.println("Peregrine examples");
  }
}
