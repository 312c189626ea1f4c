package dev.peregrine.cli;

/**
 * What the jar runs on a JVM that is too old for it. The jar has versions by release (JEP 238): a
 * JVM that is new enough loads the class of this name in META-INF/versions instead, so this one
 * takes no time of a start. It is compiled for Java 8.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.err.println("peregrine: " + problem());
    System.exit(1);
  }

  static String problem() {
    String version = System.getProperty("java.specification.version").replaceFirst("^1\\.", "");
    return "Peregrine needs Java 25, this is " + version + " (" + System.getProperty("java.home") + ")";
  }
}
