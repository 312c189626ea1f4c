package dev.peregrine.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenSslTest {
  @Test
  void tellsTheVersion() {
    String problem = OpenSsl.problem();
    assumeTrue(problem == null, problem);

    assertThat(OpenSsl.version()).matches("OpenSSL 3\\.\\d+\\.\\d+");
  }

  @Test
  void saysWhereItHasLookedForLibrariesThatAreNotThere(@TempDir Path folder) {
    System.setProperty(OpenSsl.FOLDER_PROPERTY, folder.toString());
    try {
      assertThatThrownBy(Library::load)
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining(folder.resolve("libcrypto").toString())
          .hasMessageContaining("can't be loaded: install OpenSSL 3")
          .hasMessageContaining(OpenSsl.FOLDER_PROPERTY);
    } finally {
      System.clearProperty(OpenSsl.FOLDER_PROPERTY);
    }
  }

  @Test
  void findsFunctionsThatAreMissing() {
    String problem = OpenSsl.problem();
    assumeTrue(problem == null, problem);
    Library library = Library.load();
    library.checkComplete();
    assertThat(library.link("SSL_no_such_function", 2)).isNotNull();

    assertThatThrownBy(library::checkComplete)
        .hasMessageMatching("OpenSSL 3\\S+ lacks functions that are needed: SSL_no_such_function");
  }
}
