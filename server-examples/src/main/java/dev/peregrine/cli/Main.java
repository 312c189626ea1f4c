package dev.peregrine.cli;

import dev.peregrine.cli.options.Command;
import dev.peregrine.cli.options.Invocation;
import dev.peregrine.cli.options.LimitTable;
import dev.peregrine.cli.options.Option;
import dev.peregrine.cli.options.OptionValue;
import dev.peregrine.cli.options.PicocliModel;
import dev.peregrine.cli.options.ServerOptions;
import dev.peregrine.cli.options.Settings;
import dev.peregrine.examples.Routes;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.Health;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.HttpServerBuilder;
import dev.peregrine.server.accesslog.AccessLog;
import dev.peregrine.server.handover.HandOver;
import dev.peregrine.server.observe.DrainResult;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command. The exit status is 0 if it has done its work, 1 if that failed, and 2 if the
 * options are wrong; a server that a signal ends has the status of the VM, 128 and the signal.
 */
public final class Main {
  private static final int FAILED = 1;
  private static final int USED_WRONGLY = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> environment;
  private final String[] args;
  private final long mainNanos = System.nanoTime();

  private Main(PrintStream out, PrintStream err, Map<String, String> environment, String... args) {
    this.args = args;
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  public static void main(String[] args) {
    int status = new Main(System.out, System.err, System.getenv(), args).run();
    if (status != 0) {
      System.exit(status);
    }
  }

  /** Runs a command. A server that it starts stops with the VM. Returns the exit status. */
  private int run() {
    try {
      Invocation invocation = Invocation.of(environment, args);
      Command command = invocation.command();
      if (command.isServer()) {
        serve(invocation);
      } else {
        print(command, invocation.operand());
      }
      return 0;
    } catch (IllegalArgumentException wrong) {
      err.println("peregrine: " + wrong.getMessage());
      return USED_WRONGLY;
    } catch (UncheckedIOException | UnsupportedOperationException failure) {
      err.println("peregrine: " + failure.getMessage());
      return FAILED;
    }
  }

  private void serve(Invocation invocation) {
    LogSetup.install(invocation.settings().isOn(Option.VERBOSE));
    ServerOptions options = ServerOptions.of(invocation);
    HttpServerBuilder builder = options.builder();
    ReloadedSite site = setHandler(invocation, builder);
    warn(invocation, options);
    if (invocation.settings().isOn(Option.CHECK)) {
      options.checkHosts();
      out.println("The options are right.");
      return;
    }
    AccessLog log = options.openAccessLog();
    if (log != null) {
      builder.exchangeListener(log);
    }
    HandOver handOver = options.handOver();
    if (handOver != null) {
      builder.with(handOver.beforeReady(Systemd::mainProcess).onHandedOver(() -> System.exit(0)));
    }
    Endpoint measured = options.metrics();
    HttpServer metrics = measured == null ? null : MetricsServer.start(measured, builder);
    HttpServer server = builder.onFatal(new ExitOnFatal()).start();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(new Stop(server, metrics, log, options), "peregrine-stop"));
    OnSignal.run(HangUp.SIGNAL, new HangUp(options.tls(), log, site, out));
    out.println(Greeting.of(server, options, OwnProcess.age(mainNanos)));
    Systemd.ready(err);
    if (invocation.settings().isOn(Option.TRAIN)) {
      Training.run(server, !options.choosesTransport());
    }
  }

  /** Returns what can be read again; null if nothing can. */
  private @Nullable ReloadedSite setHandler(Invocation invocation, HttpServerBuilder builder) {
    Health health = new Health();
    builder.health(health);
    if (invocation.command() == Command.SERVE) {
      ReloadedSite site = new ReloadedSite(invocation, environment, args);
      builder.handler(new HealthPaths(health, site));
      return site;
    }
    Routes.install(builder, invocation.files(), health);
    return null;
  }

  private void warn(Invocation invocation, ServerOptions options) {
    Settings settings = invocation.settings();
    OptionValue auth = settings.get(Option.AUTH);
    String plain = auth == null || settings.httpsRedirect() > 0 ? null : options.plainAddress();
    if (auth != null && plain != null) {
      err.println(
          "peregrine: warning: "
              + auth.origin()
              + " has passwords sent to "
              + plain
              + " without TLS; --https-redirect prevents that");
    }
  }

  // Not lambdas, to start sooner: see docs/ARCHITECTURE.md.

  /** Ends the server, as a signal requests it. */
  private final class Stop implements Runnable {
    private final HttpServer server;
    private final @Nullable HttpServer metrics;
    private final @Nullable AccessLog log;
    private final ServerOptions options;

    Stop(
        HttpServer server,
        @Nullable HttpServer metrics,
        @Nullable AccessLog log,
        ServerOptions options) {
      this.server = server;
      this.metrics = metrics;
      this.log = log;
      this.options = options;
    }

    @Override
    public void run() {
      DrainResult result = server.drain(options.lameDuck(), options.patience());
      if (metrics != null) {
        metrics.close();
      }
      if (log != null) {
        log.close();
      }
      new StatusLines(out).printEnd(result, log == null ? 0 : log.droppedLines());
    }
  }

  private static final class ExitOnFatal implements BiConsumer<HttpServer, Throwable> {
    @Override
    public void accept(HttpServer ended, Throwable cause) {
      System.exit(FAILED);
    }
  }

  /** Prints what a command asks for; apart, because a switch is a class more to load. */
  private void print(Command command, @Nullable String operand) {
    switch (command) {
      case HELLO, SERVE -> throw new IllegalArgumentException(command + " prints nothing");
      case LIMITS -> printLimits();
      case COMPLETION -> out.print(PicocliModel.completionScript());
      case HASH_PASSWORD -> out.println(PasswordEntry.read(System.in, err));
      case HELP -> out.print(PicocliModel.help(operand));
      case VERSION -> out.print(Version.describe());
    }
  }

  private void printLimits() {
    for (LimitTable.Limit limit : LimitTable.all()) {
      out.println("%-40s %s".formatted(limit.name(), limit.defaultText()));
    }
  }
}
