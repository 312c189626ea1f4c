package dev.peregrine.server.accept;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OpenFilesTest {
  private static final String LIMITS =
      """
      Limit                     Soft Limit           Hard Limit           Units
      Max processes             127221               127221               processes
      Max open files            %s                 1048576              files
      Max locked memory         8388608              8388608              bytes
      """;

  @Test
  void readsTheSoftLimit() {
    assertThat(OpenFiles.softLimit(LIMITS.formatted("1024"))).isEqualTo(1024);
    assertThat(OpenFiles.softLimit(LIMITS.formatted("1073741816"))).isEqualTo(1_073_741_816);
    assertThat(OpenFiles.softLimit(LIMITS.formatted("99999999999"))).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void knowsNoLimitWhereThereIsNone() {
    assertThat(OpenFiles.softLimit(LIMITS.formatted("unlimited"))).isZero();
    assertThat(OpenFiles.softLimit("")).isZero();
  }

  @Test
  void leavesAReserveToOthers() {
    assertThat(new OpenFiles(60, 16).connectionsMax()).isEqualTo(60 - 16 - 16);
    assertThat(new OpenFiles(1024, 24).connectionsMax()).isEqualTo(750);
    assertThat(new OpenFiles(65_536, 24).connectionsMax()).isEqualTo(65_536 - 24 - 1024);
    assertThat(new OpenFiles(40, 20).connectionsMax()).isEqualTo(10);
    assertThat(new OpenFiles(20, 18).connectionsMax()).isEqualTo(1);
    assertThat(new OpenFiles(20, 21).connectionsMax()).isEqualTo(1);
  }

  @Test
  void sparesWhatIsLeftBesideTheReserve() {
    OpenFiles files = new OpenFiles(1000, 500); // without the connections 250, and 187 in reserve

    assertThat(files.spare(250)).isEqualTo(313);
    assertThat(new OpenFiles(1000, 900).spare(650)).isZero();
  }
}
