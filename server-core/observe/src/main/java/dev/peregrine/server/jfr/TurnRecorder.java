package dev.peregrine.server.jfr;

import dev.peregrine.server.loop.TurnListener;
import org.jspecify.annotations.Nullable;

/** Records the long turns of one event loop, and counts what began in them; on its thread. */
final class TurnRecorder implements TurnListener {
  private final String loop;
  private @Nullable LoopTurnEvent event; // of the turn under way; reused until it is recorded
  private boolean isTurn; // false between turns, and in the one in which the recording began
  int requests;
  int connections;

  TurnRecorder(String loop) {
    this.loop = loop;
  }

  @Override
  public void onTurnBegin() {
    LoopTurnEvent begun = event;
    if (begun == null) {
      begun = new LoopTurnEvent();
      event = begun;
    }
    isTurn = begun.isEnabled();
    if (isTurn) {
      begun.begin();
      requests = 0;
      connections = 0;
    }
  }

  @Override
  public void onTurnEnd() {
    LoopTurnEvent ended = event;
    if (ended == null || !isTurn) {
      return;
    }
    isTurn = false;
    ended.end();
    if (ended.shouldCommit()) {
      ended.loop = loop;
      ended.requests = requests;
      ended.connections = connections;
      ended.commit();
      event = null;
    }
  }
}
