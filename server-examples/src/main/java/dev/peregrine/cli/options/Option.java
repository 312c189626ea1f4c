package dev.peregrine.cli.options;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options, in the order of the help. Help, completion, configuration files, environment
 * variables and the documentation follow this table.
 */
public enum Option {
  /** An address to listen on. */
  LISTEN(
      Group.LISTEN,
      "ADDRESS",
      "127.0.0.1:8080",
      "address to listen on: HOST:PORT, [IPv6]:PORT, unix:PATH or fd:N; HTTPS if there is a"
          + " certificate; repeatable"),
  /** An address to listen on without TLS. */
  LISTEN_PLAIN(
      Group.LISTEN,
      "ADDRESS",
      null,
      "address to listen on without TLS, beside those of --listen; repeatable"),
  /** Host of the short form. */
  HOST(Group.LISTEN, "NAME", "127.0.0.1", "short form without --listen: host to listen on"),
  /** Port of the short form. */
  PORT(Group.LISTEN, "N", "8080", "short form without --listen: port for HTTP, 0 for a free one"),
  /** Whether every loop listens for itself. */
  REUSE_PORT(Group.LISTEN, null, null, "every event loop listens for itself (SO_REUSEPORT)"),
  /** A proxy whose fields name the client. */
  TRUSTED_PROXY(
      Group.LISTEN,
      "ADDRESS",
      null,
      "address of a proxy, such as 10.0.0.0/8 or unix, whose X-Forwarded-For and X-Forwarded-Proto"
          + " are believed; it must replace those of clients; repeatable"),
  /** A balancer that speaks the PROXY protocol. */
  PROXY_PROTOCOL(
      Group.LISTEN,
      "ADDRESS",
      null,
      "address of a balancer, such as 10.0.0.0/8 or unix, that begins each connection with a PROXY"
          + " header (versions 1 and 2); other peers are refused; LISTENER=ADDRESS for one address"
          + " of --listen or --listen-plain only; repeatable"),

  /** The certificate. */
  TLS_CERT(
      Group.TLS,
      "FILE",
      null,
      "serve HTTPS, with this certificate and its chain (PEM; files that have changed are"
          + " used within 10 s, and at SIGHUP)"),
  /** The key of the certificate. */
  TLS_KEY(Group.TLS, "FILE", null, "private key of the certificate (PEM)"),
  /** A file with the password of the key. */
  TLS_KEY_PASSWORD_FILE(
      Group.TLS,
      "FILE",
      null,
      "file whose first line is the password of an encrypted key; read at the start only"),
  /** Whether a certificate for development is created. */
  TLS_SELF_SIGNED(Group.TLS, null, null, "serve HTTPS, with a new certificate for development"),
  /** Port for HTTPS of the short form. */
  TLS_PORT(Group.TLS, "N", "8443", "short form without --listen: port for HTTPS"),
  /** The implementation of TLS. */
  TLS_ENGINE(Group.TLS, "KIND", "auto", "auto, openssl or jdk"),
  /** Whether requests without TLS are redirected. */
  HTTPS_REDIRECT(
      Group.TLS,
      "PORT",
      null,
      "serve only: redirect requests that came without TLS to HTTPS at this port, such as 443"),

  /** A directory that the routes to try serve. */
  FILES(Group.CONTENT, "DIR", null, "hello only: serve the files of a directory below /files/"),
  /** A directory for a host. */
  SITE(
      Group.CONTENT,
      "HOST=DIR",
      null,
      "serve only: serve a directory to requests for a host, such as example.org or *.example.org;"
          + " other hosts get the directory of serve, or 421 if it has none; repeatable"),
  /** Whether paths without a file get the index. */
  SPA(
      Group.CONTENT,
      null,
      null,
      "serve only: index.html for paths that have no file and no dot in the last segment"
          + " (single-page application)"),
  /** Whether directories without an index are listed. */
  LISTING(Group.CONTENT, null, null, "serve only: list directories that have no index.html"),
  /** Whether files with names that begin with a dot are served. */
  HIDDEN(
      Group.CONTENT,
      null,
      null,
      "serve only: serve files and directories whose names begin with a dot; without it, only"
          + " those in /.well-known/"),
  /** How long a browser may use files. */
  CACHE(
      Group.CONTENT,
      "PATTERN=VALUE",
      null,
      "serve only: Cache-Control of files whose path matches; the first match counts; repeatable"),
  /** A field of responses. */
  HEADER(
      Group.CONTENT,
      "PATTERN=FIELD",
      null,
      "serve only: response header of paths that match, as NAME: VALUE to set it, +NAME: VALUE to"
          + " add it, -NAME to remove it; all matches count; repeatable"),
  /** Another place for a path. */
  REDIRECT(
      Group.CONTENT,
      "PATTERN=TARGET",
      null,
      "serve only: redirect paths that match to a path or URL, after a status if it isn't 302; the"
          + " first match counts; repeatable"),
  /** A file for other paths. */
  REWRITE(
      Group.CONTENT,
      "PATTERN=PATH",
      null,
      "serve only: serve the file of another path, once; the first match counts; repeatable"),
  /** The users of paths. */
  AUTH(
      Group.CONTENT,
      "PATTERN=FILE",
      null,
      "serve only: paths that only users of a file with lines of NAME:HASH may see, by basic"
          + " authentication; the first match counts; repeatable"),
  /** Leaves out the name of the program. */
  NO_SERVER_HEADER(Group.CONTENT, null, null, "leave out the response header Server"),

  /** The number of event loops. */
  LOOPS(Group.SERVER, "N", "one per processor", "event loops"),
  /** How sockets are used. */
  TRANSPORT(Group.SERVER, "KIND", "auto", "auto, epoll or nio"),
  /** How request heads are scanned. */
  SCANNER(Group.SERVER, "KIND", "the fastest that works", "vector, swar or scalar"),
  /** A limit by its name. */
  LIMIT(
      Group.SERVER,
      "NAME=VALUE",
      null,
      "limit on clients, such as keep-alive-time=30s or body-bytes-max=8MiB; repeatable; the"
          + " command limits lists the names"),
  /** The file for the lines of requests. */
  ACCESS_LOG(Group.SERVER, "FILE", null, "append a line for each request to a file"),
  /** The format of those lines. */
  ACCESS_LOG_FORMAT(Group.SERVER, "FORMAT", "combined", "common, combined or json"),
  /** Where the metrics are served. */
  METRICS_LISTEN(
      Group.SERVER,
      "ADDRESS",
      null,
      "serve the metrics in the format of Prometheus at /metrics of this address, without TLS"),
  /** How long connections are accepted at the end. */
  LAME_DUCK(
      Group.SERVER,
      "TIME",
      "0s",
      "time that it accepts connections after it is stopped, while /readyz answers 503"),
  /** How long requests under way may take at the end. */
  PATIENCE(
      Group.SERVER,
      "TIME",
      "4s",
      "time that requests under way have to complete when it is stopped"),

  /** The socket by which processes hand their listening sockets over. */
  HAND_OVER(
      Group.SERVER,
      "PATH",
      null,
      "take the listening sockets of the process that listens at this Unix domain socket, which"
          + " then completes its requests and ends; listen there for the next process"),

  /** A file with options. */
  CONFIG(Group.RUN, "FILE", null, "read options from a file: lines of NAME = VALUE"),
  /** Whether the options are only checked. */
  CHECK(Group.RUN, null, null, "check all options and the files they name, and start nothing"),
  /** Whether INFO lines are logged. */
  VERBOSE(Group.RUN, null, null, "log lines of level INFO too"),
  /** Whether the server trains a cache. */
  TRAIN(Group.RUN, null, null, "send requests to itself and stop, to create an AOT cache"),
  /** Prints the version. */
  VERSION(Group.RUN, null, null, "print the version, its commit, and the JDK"),
  /** Prints the help. */
  HELP(Group.RUN, null, null, "print this");

  /** The headings of the help. */
  public enum Group {
    /** Where to listen. */
    LISTEN("Where to listen"),
    /** TLS. */
    TLS("HTTPS"),
    /** The content that is served. */
    CONTENT("What is served"),
    /** How the server works. */
    SERVER("How the server works"),
    /** This run. */
    RUN("This run");

    private final String heading;

    Group(String heading) {
      this.heading = heading;
    }

    /** Returns the heading. */
    public String heading() {
      return heading;
    }
  }

  private final String key = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final Group group;
  private final @Nullable String label;
  private final @Nullable String defaultText;
  private final String description;

  Option(Group group, @Nullable String label, @Nullable String defaultText, String description) {
    this.group = group;
    this.label = label;
    this.defaultText = defaultText;
    this.description = description;
  }

  /** Returns the name in a configuration file. */
  public String key() {
    return key;
  }

  /** Returns the name on a command line. */
  public String flag() {
    return "--" + key;
  }

  /** Returns the environment variable for a key. */
  static String variable(String key) {
    return Variables.PREFIX + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Returns the heading that it belongs under. */
  public Group group() {
    return group;
  }

  /** Returns what stands for the value in the help; null for an option without a value. */
  public @Nullable String label() {
    return label;
  }

  /** Returns the default, if there is one that can be named. */
  public @Nullable String defaultText() {
    return defaultText;
  }

  /** Returns the description for the help. */
  public String description() {
    return description;
  }

  /** Returns true if each of several values counts, and not only the last. */
  boolean isRepeatable() {
    return switch (this) {
      case LISTEN,
          LISTEN_PLAIN,
          TRUSTED_PROXY,
          PROXY_PROTOCOL,
          SITE,
          CACHE,
          HEADER,
          REDIRECT,
          REWRITE,
          AUTH,
          LIMIT ->
          true;
      default -> false;
    };
  }

  /** Returns true for an option that {@link QuickLine} leaves to {@link PicocliLine}. */
  boolean needsPicocli() {
    return this == LIMIT || this == VERSION || this == HELP;
  }

  /** Returns true if the option describes a server, and not this run of the program. */
  public boolean isSetting() {
    return switch (this) {
      case CONFIG, CHECK, TRAIN, VERSION, HELP -> false;
      default -> true;
    };
  }

  /** Returns true if a command takes the option. */
  boolean belongsTo(Command command) {
    return switch (this) {
      case FILES -> command == Command.HELLO;
      case SITE, SPA, LISTING, HIDDEN, CACHE, HEADER, REDIRECT, REWRITE, AUTH, HTTPS_REDIRECT ->
          command == Command.SERVE;
      case HELP -> true;
      default -> command.isServer();
    };
  }

  /** Continues a sentence about a command that doesn't take the option, but others do. */
  String isNotOf(Command command) {
    String others =
        Arrays.stream(Command.values())
            .filter(this::belongsTo)
            .map(Command::word)
            .collect(Collectors.joining(" and "));
    return " is an option of " + others + ", not of " + command.word();
  }

  /** Returns the option with a name on the command line, or null. */
  static @Nullable Option ofFlag(String flag) {
    return flag.startsWith("--") ? ofKey(flag.substring(2)) : null;
  }

  /** Returns the option with a name in a configuration file, or null. */
  static @Nullable Option ofKey(String key) {
    for (Option option : values()) {
      if (option.key.equals(key)) {
        return option;
      }
    }
    return null;
  }
}
