package dev.peregrine.spring.boot.java;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The message that an older Java gets. */
class JavaVersionTest {
  private static final int JAVA_17 = 61;

  @ParameterizedTest
  @ValueSource(
      classes = {
        JavaVersionCheck.class,
        JavaVersionFailureAnalyzer.class,
        OlderJavaException.class
      })
  void isLoadedByAnOlderJava(Class<?> type) throws IOException {
    try (InputStream bytes =
            Objects.requireNonNull(type.getResourceAsStream(type.getSimpleName() + ".class"));
        DataInputStream input = new DataInputStream(bytes)) {
      assertThat(input.readInt()).isEqualTo(0xCAFEBABE);
      input.readUnsignedShort();
      assertThat(input.readUnsignedShort()).isEqualTo(JAVA_17);
    }
  }

  @Test
  void namesTheVersionThatIsNeeded() {
    FailureAnalysis analysis =
        Objects.requireNonNull(
            new JavaVersionFailureAnalyzer().analyze(new OlderJavaException(21)));

    assertThat(analysis.getDescription())
        .startsWith("Peregrine needs Java 25 or later, but this is Java 21, of ");
    assertThat(analysis.getAction()).startsWith("Start the application with Java 25");
  }
}
