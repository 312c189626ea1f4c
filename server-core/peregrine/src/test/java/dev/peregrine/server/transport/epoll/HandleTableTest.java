package dev.peregrine.server.transport.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleTableTest {
  private static final InetSocketAddress NOWHERE = new InetSocketAddress(1);

  private final HandleTable table = new HandleTable();

  @Test
  void findsEveryHandleByItsWord() {
    List<EpollHandle> handles = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      handles.add(added());
    }
    for (EpollHandle handle : handles) {
      assertThat(table.get(handle.word)).isSameAs(handle);
    }
    assertThat(handles.stream().map(handle -> handle.word).distinct()).hasSize(1000);
  }

  @Test
  void findsNothingForAHandleThatIsGone() {
    EpollHandle gone = added();
    long word = gone.word;
    table.remove(gone);
    assertThat(table.get(word)).isNull();
    EpollHandle next = added();
    assertThat((int) next.word).as("the place is taken again").isEqualTo((int) word);
    assertThat(table.get(word)).isNull();
    assertThat(table.get(next.word)).isSameAs(next);
  }

  @Test
  void findsNothingForAWordThatWasNeverGiven() {
    added();
    assertThat(table.get(-1)).isNull();
    assertThat(table.get(1)).isNull();
    assertThat(table.get(Long.MIN_VALUE)).isNull();
  }

  private EpollHandle added() {
    EpollHandle handle = new EpollSocket(EpollHandle.CLOSED, NOWHERE, null);
    table.add(handle);
    return handle;
  }
}
