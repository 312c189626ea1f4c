package dev.peregrine.server.jfr;

import dev.peregrine.base.Log;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Logs where the blocking handlers of a server keep their carrier thread while they wait, once for
 * each place. The JVM reports that to its Flight Recorder only.
 */
final class PinnedThreads implements AutoCloseable {
  private static final String EVENT = "jdk.VirtualThreadPinned";
  private static final int PLACES_MAX = 100;

  private final String threads; // the begin of their names
  private final RecordingStream stream = new RecordingStream();
  private final Set<String> places = new HashSet<>(); // used by the stream's thread

  /**
   * Starts a recording.
   *
   * @param server the name of the server
   * @param least how long a thread must wait to be logged
   */
  PinnedThreads(String server, Duration least) {
    threads = server + "-loop-";
    stream.enable(EVENT).withThreshold(least).withStackTrace();
    stream.onEvent(EVENT, this::onPinned);
    stream.startAsync();
  }

  private void onPinned(RecordedEvent event) {
    RecordedThread thread = event.getThread();
    String name = thread == null ? null : thread.getJavaName();
    if (name == null || !name.startsWith(threads)) {
      return;
    }
    String place = place(event.getStackTrace());
    if (places.size() < PLACES_MAX && places.add(place)) {
      Log.add(
          Level.WARNING,
          "a handler kept its carrier thread for "
              + event.getDuration().toMillis()
              + " ms while it waited (pinned), at "
              + place
              + ". Don't wait in native code or class initializers, or run it on platform"
              + " threads; later times at this place are not logged");
    }
  }

  /** Returns the innermost frame outside of the JDK. */
  private static String place(@Nullable RecordedStackTrace stack) {
    if (stack != null) {
      for (RecordedFrame frame : stack.getFrames()) {
        String type = frame.getMethod().getType().getName();
        if (!type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun.")) {
          return type + "." + frame.getMethod().getName() + ":" + frame.getLineNumber();
        }
      }
    }
    return "an unknown place";
  }

  @Override
  public void close() {
    stream.close();
  }
}
