package dev.peregrine.server.http2.frame;

import dev.peregrine.server.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Notes what a reader passes on, a line for each call; pieces of content make one line. */
final class NotedFrames implements FrameHandler {
  private final List<String> lines = new ArrayList<>();
  private @Nullable StringBuilder content;
  private Runnable next = () -> {};

  /** Runs something in the next calls for the preface or a field block. */
  void run(Runnable inCalls) {
    next = inCalls;
  }

  List<String> lines() {
    endContent();
    return lines;
  }

  private @Nullable Violation note(String line) {
    endContent();
    lines.add(line);
    return null;
  }

  private void endContent() {
    if (content != null) {
      lines.add("content " + content);
      content = null;
    }
  }

  private static String text(MemorySegment bytes, long from, long to) {
    StringBuilder text = new StringBuilder();
    for (long at = from; at < to; at++) {
      text.append((char) bytes.get(ValueLayout.JAVA_BYTE, at));
    }
    return text.toString();
  }

  @Override
  public void onPreface() {
    lines.add("preface");
    next.run();
  }

  @Override
  public @Nullable Violation onDataHead(int id, int length, int bytes, boolean ends) {
    return note("data %d length %d content %d%s".formatted(id, length, bytes, ends ? " ends" : ""));
  }

  @Override
  public void onContent(Block block, int from, int to) {
    if (content == null) {
      content = new StringBuilder();
    }
    content.append(text(block.segment(), from, to));
  }

  @Override
  public void onDataEnd() {
    endContent();
    lines.add("data end");
  }

  @Override
  public void onBlockBegin() {
    lines.add("block begins");
  }

  @Override
  public @Nullable Violation onContinuation() {
    return note("continuation");
  }

  @Override
  public @Nullable Violation onBlock(
      int id, MemorySegment bytes, long from, long to, boolean ends, boolean dependsOnItself) {
    next.run();
    return note(
        "block %d %s%s%s"
            .formatted(
                id,
                text(bytes, from, to),
                ends ? " ends" : "",
                dependsOnItself ? " on itself" : ""));
  }

  @Override
  public @Nullable Violation onSettings(int count, boolean first) {
    return note("settings %d%s".formatted(count, first ? " first" : ""));
  }

  @Override
  public @Nullable Violation onSetting(int setting, int value) {
    return note("setting %d=%d".formatted(setting, value));
  }

  @Override
  public void onSettingsEnd() {
    lines.add("settings end");
  }

  @Override
  public @Nullable Violation onSettingsAcknowledged() {
    return note("settings acknowledged");
  }

  @Override
  public @Nullable Violation onPing(long data) {
    return note("ping %d".formatted(data));
  }

  @Override
  public @Nullable Violation onPingAcknowledged(long data) {
    return note("ping acknowledged %d".formatted(data));
  }

  @Override
  public @Nullable Violation onWindowUpdate(int id, int increment) {
    return note("window %d %d".formatted(id, increment));
  }

  @Override
  public @Nullable Violation onReset(int id) {
    return note("reset %d".formatted(id));
  }

  @Override
  public @Nullable Violation onPriority(int id, int length, int dependency) {
    return note("priority %d length %d on %d".formatted(id, length, dependency));
  }

  @Override
  public @Nullable Violation onPriorityUpdate(int id, MemorySegment bytes, int from, int to) {
    return note("priority update %d %s".formatted(id, text(bytes, from, to)));
  }

  @Override
  public @Nullable Violation onGoAway() {
    return note("goaway");
  }

  @Override
  public @Nullable Violation onUnknown() {
    return note("unknown");
  }
}
