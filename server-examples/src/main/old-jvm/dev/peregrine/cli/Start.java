package dev.peregrine.cli;

/**
 * The main class of the jar, compiled for Java 8, so that a JVM that is too old for the others says
 * so in one line. It isn't a version of {@link Main} in META-INF/versions, because a JVM that finds
 * any there links a lambda before it reads the first class.
 */
public final class Start {
  private Start() {}

  public static void main(String[] args) {
    try {
      Main.main(args);
    } catch (UnsupportedClassVersionError tooNew) {
      System.err.println("peregrine: " + problem());
      System.exit(1);
    }
  }

  static String problem() {
    String version = System.getProperty("java.specification.version").replaceFirst("^1\\.", "");
    return "Peregrine needs Java 25, this is " + version + " (" + System.getProperty("java.home") + ")";
  }
}
