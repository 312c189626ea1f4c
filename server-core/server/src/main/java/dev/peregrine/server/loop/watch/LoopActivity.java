package dev.peregrine.server.loop.watch;

import dev.peregrine.server.loop.watch.BlockedTurn.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The activity of an event loop's thread, by its stack, so that a report names a handler only for
 * its own work.
 *
 * @param kind the activity of the innermost frames
 * @param caller where the application's code was entered, as class and method; null if it wasn't
 */
record LoopActivity(Kind kind, @Nullable String caller) {
  /** The kinds of activity. */
  enum Kind {
    CLASSES("in loading or initialising classes"),
    INITIALIZER("in initialising a class of the application"),
    FILE("in reading or sending a file"),
    LOG("in writing to the log"),
    APPLICATION("in the application's code"),
    SERVER("in the server's own work");

    final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final List<String> CLASSES =
      List.of(
          "jdk.internal.loader.",
          "java.lang.ClassLoader.",
          "java.lang.Class.forName",
          "java.lang.invoke.MethodHandleNatives.link",
          "java.lang.invoke.LambdaMetafactory.",
          "java.lang.invoke.StringConcatFactory.");
  private static final List<String> FILES =
      List.of(
          "sun.nio.ch.FileChannelImpl.",
          "sun.nio.ch.FileDispatcherImpl.",
          "sun.nio.ch.UnixFileDispatcherImpl.",
          "sun.nio.fs.",
          "java.io.FileInputStream.",
          "java.io.FileOutputStream.",
          "java.io.RandomAccessFile.",
          "dev.peregrine.server.transport.StreamSocket.sendFile",
          "dev.peregrine.server.transport.nio.NioSocket.sendFile",
          "dev.peregrine.server.transport.epoll.EpollSocket.sendFile");
  private static final List<String> LOGS =
      List.of("java.util.logging.", "jdk.internal.logger.", "sun.util.logging.");

  private static final String PROJECT = "dev.peregrine.";

  /** Sockets of the application's clients: what waits in them is its own work. */
  private static final String CLIENTS = "dev.peregrine.server.sockets.";

  // Frames that are neither the application's nor called only because of it.
  private static final List<String> OURS =
      List.of(
          "java.",
          "javax.",
          "jdk.",
          "sun.",
          "com.sun.",
          "dev.peregrine.base.",
          "dev.peregrine.parser.",
          "dev.peregrine.protocol.",
          "dev.peregrine.linux.",
          "dev.peregrine.openssl.",
          "dev.peregrine.http.",
          "dev.peregrine.proxy.",
          "dev.peregrine.server.accept.",
          "dev.peregrine.server.accesslog.",
          "dev.peregrine.server.end.",
          "dev.peregrine.server.exchange.",
          "dev.peregrine.server.epoll.",
          "dev.peregrine.server.handover.",
          "dev.peregrine.server.http1.",
          "dev.peregrine.server.http2.",
          "dev.peregrine.server.layer.",
          CLIENTS,
          "dev.peregrine.server.config.",
          "dev.peregrine.server.connection.",
          "dev.peregrine.server.jfr.",
          "dev.peregrine.server.loop.",
          "dev.peregrine.server.memory.",
          "dev.peregrine.server.metrics.",
          "dev.peregrine.server.observe.",
          "dev.peregrine.server.pace.",
          "dev.peregrine.server.proxy.",
          "dev.peregrine.server.start.",
          "dev.peregrine.server.testing.",
          "dev.peregrine.server.tls.",
          "dev.peregrine.server.transport.",
          "dev.peregrine.server.tunnel.",
          "dev.peregrine.server.turn.",
          "dev.peregrine.server.websocket.",
          "dev.peregrine.tls.",
          "dev.peregrine.server.HttpServer.",
          // the adapters, and the library that calls an application's methods for one of them
          "dev.peregrine.grpc.",
          "dev.peregrine.jdk.",
          "dev.peregrine.micrometer.",
          "dev.peregrine.netty.",
          "dev.peregrine.opentelemetry.",
          "dev.peregrine.spring.",
          "dev.peregrine.zstd.",
          "io.grpc.");

  /** Judges a stack, innermost frame first. */
  static LoopActivity of(StackTraceElement[] stack) {
    int entry = applicationEntry(stack);
    String caller = entry < 0 ? null : name(stack[entry]);
    for (int i = 0; i < stack.length && (entry < 0 || i <= entry); i++) {
      Kind kind = kind(stack[i]);
      if (kind != null) {
        return new LoopActivity(kind, caller);
      }
    }
    boolean isServers = entry < 0 || (!isInClient(stack) && isInLibrary(stack));
    return new LoopActivity(isServers ? Kind.SERVER : Kind.APPLICATION, caller);
  }

  /**
   * Returns a text for a report: the activity, the caller, and what to do about it.
   *
   * @param isBlocking whether it is a handler that may block
   * @param unrelieved why no other thread runs the loop meanwhile; null if one does
   */
  String describe(boolean isBlocking, @Nullable String unrelieved) {
    String text = caller == null ? kind.text : kind.text + ", " + caller;
    if (unrelieved == null) {
      text += "; other connections don't wait for it";
    } else if (isBlocking) {
      text += "; other connections of the loop wait, because " + unrelieved;
    }
    boolean isToBeWrapped = kind == Kind.APPLICATION || (kind == Kind.FILE && caller != null);
    return isBlocking || !isToBeWrapped
        ? text
        : text
            + "; wrap blocking handlers in Handlers.blocking, and run other blocking code"
            + " on a virtual thread";
  }

  /** Returns whose fault it is that a turn takes long; see {@link #describe}. */
  Fault fault(boolean isBlocking, boolean isLeft) {
    if (isBlocking && isLeft) {
      return Fault.NOBODY;
    }
    return switch (kind) {
      case CLASSES, SERVER -> Fault.MACHINE;
      case FILE, LOG -> caller == null ? Fault.DISK : Fault.APPLICATION;
      case APPLICATION, INITIALIZER -> Fault.APPLICATION;
    };
  }

  /** Returns the frame by which the server called the application; -1 if it didn't. */
  private static int applicationEntry(StackTraceElement[] stack) {
    for (int i = stack.length - 1; i >= 0; i--) {
      if (!isOneOf(OURS, name(stack[i]))) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isInClient(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (name(frame).startsWith(CLIENTS)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the application has called the server, and the server works. */
  private static boolean isInLibrary(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String name = name(frame);
      boolean isOurs = isOneOf(OURS, name);
      if (!isOurs || name.startsWith(PROJECT)) {
        return isOurs;
      }
    }
    return false;
  }

  private static @Nullable Kind kind(StackTraceElement frame) {
    String name = name(frame);
    if (isOneOf(CLASSES, name)) {
      return Kind.CLASSES;
    }
    if (frame.getMethodName().equals("<clinit>")) {
      return isOneOf(OURS, name) ? Kind.CLASSES : Kind.INITIALIZER;
    }
    if (isOneOf(FILES, name)) {
      return Kind.FILE;
    }
    return isOneOf(LOGS, name) ? Kind.LOG : null;
  }

  private static String name(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  private static boolean isOneOf(List<String> beginnings, String name) {
    for (String beginning : beginnings) {
      if (name.startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }
}
