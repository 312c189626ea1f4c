package dev.peregrine.base;

/**
 * Texts for the log of code that handles a failure. A string literal takes memory when its code
 * first runs. In a {@code catch} block, an exception at that moment would replace the failure and
 * skip the rest of its handling. So the texts are constants, and a server creates them all at its
 * start.
 */
public enum Incident {
  ACCEPT_FAILED("accept failed; retrying in 100 ms"),
  CLOSED_TASK_FAILED("a task of a closed connection failed"),
  CLOSE_NOTICE_FAILED("the notice of a connection's close failed"),
  CONNECTION_FAILED("connection closed after"),
  CONNECTION_LOST("connection lost"),
  END_FAILED("the work at the end of an event loop failed"),
  FILE_CLOSE_FAILED("closing a file failed"),
  LATE_START_FAILED("the end of the start failed; the server works"),
  LATE_TASK_FAILED("a task failed after the end of its event loop"),
  LISTENER_FAILED("a listener for connections or exchanges failed"),
  LISTENER_CLOSE_FAILED("closing a listening socket failed"),
  LOOP_FATAL("an event loop can't do its work any more"),
  LOST_BEFORE_ACCEPT("a connection that waited to be accepted is lost"),
  LOST_BEFORE_OPEN("a connection was lost before it was opened"),
  LOST_BEFORE_REFUSAL("a connection above the limit was lost before its response"),
  MEMORY_RELEASE_FAILED("releasing the memory of a connection failed"),
  ON_FATAL_FAILED("onFatal failed, so the server is closed"),
  OUTPUT_LOST("bytes of a connection would not have been sent, and are now"),
  NO_DESCRIPTORS(
      "accept failed; retrying in 100 ms: no file descriptors are left; "
          + DescriptorShortage.REMEDY),
  POLLER_FAILED("an event loop continues after its poller has failed"),
  RELIEF_FAILED("a handler keeps its event loop, because no other thread could take it over"),
  RELEASE_FAILED("releasing an event loop failed"),
  RESPONSE_BROKEN_OFF("response broken off after"),
  SOCKET_CLOSE_FAILED("closing a socket failed"),
  SOCKET_FILE_LEFT("the file of a socket could not be deleted"),
  SOCKET_RESET_FAILED("resetting a socket failed"),
  STEP_FAILED("the thread of a blocking handler may never continue"),
  SWEEP_FAILED("checking the deadline of a connection failed"),
  TASK_FAILED("a task failed"),
  TIMER_FAILED("a timer failed"),
  TURN_FAILED("an event loop continues after a failure"),
  TURN_LOST("work of a connection was without a turn for a second, and gets one now"),
  UNTAKEN_CLOSE_FAILED("closing a connection that was not passed on failed"),
  WATCHDOG_FAILED("the watchdog continues after a failure");

  private final String text;

  Incident(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
