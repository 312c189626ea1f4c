package dev.peregrine.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.cli.options.LimitTable.Limit;
import dev.peregrine.server.config.ServerLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LimitTableTest {
  @Test
  void readsEveryDefaultAsItIsPrinted() {
    Map<String, OptionValue> all = new TreeMap<>();
    for (Limit limit : LimitTable.all()) {
      all.put(limit.name(), new OptionValue(limit.defaultText(), limit.name()));
    }

    assertThat(LimitTable.with(all)).isEqualTo(ServerLimits.DEFAULT);
  }

  @Test
  void setsLimitsOfEachRecord() {
    ServerLimits limits =
        LimitTable.with(
            Map.of(
                "keep-alive-time", new OptionValue("1500ms", ""),
                "body-bytes-max", new OptionValue("3GiB", ""),
                "parser.fields-max", new OptionValue("7", ""),
                "http2.streams-max", new OptionValue("9", ""),
                "web-socket.idle-time", new OptionValue("1h", "")));

    assertThat(limits.keepAliveTime()).isEqualTo(Duration.ofMillis(1500));
    assertThat(limits.bodyBytesMax()).isEqualTo(3L << 30);
    assertThat(limits.parser().fieldsMax()).isEqualTo(7);
    assertThat(limits.http2().streamsMax()).isEqualTo(9);
    assertThat(limits.webSocket().idleTime()).isEqualTo(Duration.ofHours(1));
    assertThat(limits.lingerTime()).isEqualTo(ServerLimits.DEFAULT.lingerTime());
  }

  @Test
  void hasADistinctVariableForEachLimit() {
    List<String> variables =
        LimitTable.all().stream().map(limit -> Option.variable(limit.name())).toList();

    assertThat(variables).doesNotHaveDuplicates();
  }
}
