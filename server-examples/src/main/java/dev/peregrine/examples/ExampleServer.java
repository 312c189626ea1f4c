package dev.peregrine.examples;

import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The combined example: what {@code java -jar peregrine.jar} starts. See {@link Routes}. */
public final class ExampleServer {
  private static final Duration DRAIN_TIME = Duration.ofSeconds(4);
  private static final int FAILED = 1;
  private static final int USED_WRONGLY = 2;

  private ExampleServer() {}

  /**
   * Starts a server.
   *
   * @throws IllegalArgumentException for a bad command line
   * @throws UncheckedIOException if the port can't be listened on
   */
  static HttpServer start(String... args) {
    return start(ExampleOptions.parse(args));
  }

  private static HttpServer start(ExampleOptions options) {
    Health health = new Health();
    return options
        .builder()
        .health(health)
        .handler(new Routes(options.files(), health))
        .json(new AvajeJson())
        .start();
  }

  public static void main(String[] args) {
    LogFormat.install();
    int status = run(System.out, System.err, args);
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Starts a server that stops with the VM. Returns the exit status. */
  private static int run(PrintStream out, PrintStream err, String... args) {
    try {
      ExampleOptions options = ExampleOptions.parse(args);
      if (options.help()) {
        out.print(ExampleOptions.USAGE);
        return 0;
      }
      if (options.version()) {
        out.print(Version.describe());
        return 0;
      }
      HttpServer server = start(options);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, out), "peregrine-stop"));
      greet(server, out);
      if (options.train()) {
        Training.run(server);
      }
      return 0;
    } catch (IllegalArgumentException wrong) {
      err.println("peregrine: " + wrong.getMessage());
      return USED_WRONGLY;
    } catch (UncheckedIOException failure) {
      err.println("peregrine: " + failure.getMessage());
      return FAILED;
    }
  }

  private static void greet(HttpServer server, PrintStream out) {
    List<String> urls = Urls.of(server.address());
    out.println("Peregrine serves " + urls.getFirst());
    urls.stream().skip(1).forEach(url -> out.println("             and " + url));
    server.addresses().stream()
        .skip(1)
        .filter(InetSocketAddress.class::isInstance)
        .flatMap(address -> Urls.of((InetSocketAddress) address).stream())
        .forEach(url -> out.println("             and " + url.replaceFirst("http:", "https:")));
    out.print(Routes.LIST);
    out.println("Ctrl-C stops it.");
  }

  private static void stop(HttpServer server, PrintStream out) {
    boolean drained = server.shutdown(DRAIN_TIME).isComplete();
    out.println(
        drained ? "Peregrine has stopped." : "Peregrine has stopped; requests were cut off.");
  }
}
