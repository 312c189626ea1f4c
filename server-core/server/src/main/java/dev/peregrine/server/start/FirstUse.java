package dev.peregrine.server.start;

import dev.peregrine.base.Log;
import dev.peregrine.server.loop.LoopOwner;
import dev.peregrine.server.loop.watch.LoopWatchdog;
import dev.peregrine.server.memory.DirectMemory;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Initialises, at the start of a server, code that is otherwise first used after a failure, or by a
 * handler, when it could fail for good. Without memory, or at the end of a handler's stack, a class
 * whose initialisation fails can never be used again. Without descriptors, the JDK's log can't read
 * its configuration and the time zones for its first record, and then never writes one.
 */
public final class FirstUse {
  /**
   * Classes with static state that a server first uses for a rare request or failure, or in a
   * method of {@code Request} or {@code Response}. Names, because most of these classes are visible
   * in their packages only; a wrong name fails every start.
   */
  private static final List<String> CLASSES =
      List.of(
          "dev.peregrine.base.DescriptorShortage",
          "dev.peregrine.base.PercentCoding",
          "dev.peregrine.http.ContentType",
          "dev.peregrine.http.Outcome",
          "dev.peregrine.http.Parameters",
          "dev.peregrine.http.PreparedFields",
          "dev.peregrine.http.Redirects$1",
          "dev.peregrine.http.WholeContent",
          "dev.peregrine.parser.body.ChunkLine",
          "dev.peregrine.parser.body.ChunkLine$State",
          "dev.peregrine.parser.body.ChunkedDecoder$State",
          "dev.peregrine.parser.body.Trailers",
          "dev.peregrine.parser.field.RequestNames",
          "dev.peregrine.server.tunnel.ConnectionClosed",
          "dev.peregrine.server.layer.LayerFailedException",
          "dev.peregrine.server.connection.Unfinished",
          "dev.peregrine.server.exchange.text.FieldLines$OfTrailers",
          "dev.peregrine.server.exchange.view.ContentOutputStream",
          "dev.peregrine.server.exchange.view.FileParts",
          "dev.peregrine.server.exchange.state.HttpStream$Rest",
          "dev.peregrine.server.exchange.state.KnownError",
          "dev.peregrine.server.exchange.state.ReceivedHead$1",
          "dev.peregrine.server.exchange.run.ResponseWork",
          "dev.peregrine.server.exchange.message.TurnTimer",
          "dev.peregrine.server.http1.ConnectionTunnel",
          "dev.peregrine.server.memory.lease.BufferMemory",
          "dev.peregrine.server.memory.ContentFailedException",
          "dev.peregrine.server.memory.OpenFile",
          "dev.peregrine.server.turn.TurnQueue",
          "dev.peregrine.server.turn.TurnTask");

  private FirstUse() {}

  /** Initialises these classes and the log. Logs nothing. */
  public static void prepare() {
    prepareLog();
    DirectMemory.readLimit();
    LoopOwner.prepare();
    LoopWatchdog.prepare();
    for (String name : CLASSES) {
      initialize(name);
    }
  }

  /** Initialises a class. */
  public static void initialize(String name) {
    try {
      Class<?> ignored = Class.forName(name);
    } catch (ClassNotFoundException impossible) {
      throw new LinkageError("FirstUse names a class that does not exist", impossible);
    }
  }

  private static void prepareLog() {
    String implementation = Log.prepare().getName();
    if ((implementation.startsWith("jdk.internal.logger.")
            || implementation.startsWith("sun.util.logging."))
        && hasLogging()) {
      formatRecord();
    }
  }

  /**
   * Opens the handlers of a log manager that the application has chosen: {@code java.util.logging}
   * opens none once the exit has begun. Its own manager loses what is logged then in any case.
   */
  public static void prepareLogOfExit() {
    if (System.getProperty("java.util.logging.manager") != null && hasLogging()) {
      Handler[] ignored = handlers();
    }
  }

  private static boolean hasLogging() {
    return ModuleLayer.boot().findModule("java.logging").isPresent();
  }

  private static Handler[] handlers() {
    return Logger.getGlobal().getParent().getHandlers();
  }

  private static void formatRecord() {
    LogRecord record = new LogRecord(Level.INFO, "");
    for (Handler handler : handlers()) {
      if (handler.getFormatter() != null) {
        String ignored = handler.getFormatter().format(record);
      }
    }
  }
}
