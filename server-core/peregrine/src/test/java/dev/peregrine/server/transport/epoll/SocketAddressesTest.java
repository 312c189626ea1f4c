package dev.peregrine.server.transport.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.linux.Errno;
import dev.peregrine.linux.Kernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class SocketAddressesTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(Kernel.SCRATCH_BYTES, 8);

  @Test
  void readsWhatItWrote() throws UnknownHostException {
    for (int port : new int[] {0, 1, 80, 0x1234, 0xFFFF}) {
      InetSocketAddress ipv4 = new InetSocketAddress("192.0.2.1", port);
      assertThat(SocketAddresses.write(ipv4, SocketAddresses.AF_INET, memory)).isEqualTo(16);
      assertThat(SocketAddresses.read(memory)).isEqualTo(ipv4);
      InetSocketAddress ipv6 = new InetSocketAddress("2001:db8::1:2", port);
      assertThat(SocketAddresses.write(ipv6, SocketAddresses.AF_INET6, memory)).isEqualTo(28);
      assertThat(SocketAddresses.read(memory)).isEqualTo(ipv6);
    }
  }

  @Test
  void keepsTheScopeOfALinkLocalAddress() throws UnknownHostException {
    byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();
    InetSocketAddress scoped = new InetSocketAddress(Inet6Address.getByAddress(null, bytes, 3), 1);
    SocketAddresses.write(scoped, SocketAddresses.AF_INET6, memory);
    InetSocketAddress read = SocketAddresses.read(memory);
    assertThat(((Inet6Address) read.getAddress()).getScopeId()).isEqualTo(3);
  }

  @Test
  void writesAnIpv4WildcardAsOneForBothFamilies() throws UnknownHostException {
    memory.fill((byte) 0xFF);
    InetSocketAddress any = new InetSocketAddress("0.0.0.0", 80);
    SocketAddresses.write(any, SocketAddresses.AF_INET6, memory);
    assertThat(SocketAddresses.read(memory)).isEqualTo(new InetSocketAddress("::", 80));
  }

  @Test
  void writesNoIpv6AddressForASocketOfIpv4() {
    for (String host : new String[] {"2001:db8::1:2", "::", "::1"}) {
      InetSocketAddress address = new InetSocketAddress(host, 80);
      assertThat(SocketAddresses.write(address, SocketAddresses.AF_INET, memory))
          .isEqualTo(-Errno.EAFNOSUPPORT);
    }
  }

  @Test
  void readsAMappedAddressAsIpv4() {
    memory.fill((byte) 0);
    memory.set(ValueLayout.JAVA_SHORT, 0, (short) SocketAddresses.AF_INET6);
    memory.set(ValueLayout.JAVA_SHORT, 18, (short) -1);
    memory.set(ValueLayout.JAVA_INT, 20, 0x01020304);
    byte[] expected = memory.asSlice(20, 4).toArray(ValueLayout.JAVA_BYTE);
    assertThat(SocketAddresses.read(memory).getAddress().getAddress()).isEqualTo(expected);
  }

  @Test
  void packsWhatIsAnAddressOfIpv4() {
    for (String host : new String[] {"0.0.0.0", "192.0.2.1", "255.255.255.255", "127.0.0.1"}) {
      for (int port : new int[] {0, 1, 0x1234, 0xFFFF}) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        SocketAddresses.write(address, SocketAddresses.AF_INET, memory);

        assertThat(SocketAddresses.unpack(SocketAddresses.packed(memory))).isEqualTo(address);
      }
    }
  }

  @Test
  void packsAMappedAddressAsIpv4() {
    memory.fill((byte) 0);
    memory.set(ValueLayout.JAVA_SHORT, 0, (short) SocketAddresses.AF_INET6);
    memory.set(ValueLayout.JAVA_SHORT, 18, (short) -1);
    memory.set(ValueLayout.JAVA_INT, 20, 0x01020304);

    assertThat(SocketAddresses.unpack(SocketAddresses.packed(memory)))
        .isEqualTo(SocketAddresses.read(memory));
  }

  @Test
  void packsNoAddressOfIpv6() throws UnknownHostException {
    for (String host : new String[] {"2001:db8::1:2", "::", "::1", "::fffe:1.2.3.4"}) {
      InetSocketAddress address = new InetSocketAddress(host, 80);
      SocketAddresses.write(address, SocketAddresses.AF_INET6, memory);

      assertThat(SocketAddresses.packed(memory)).isEqualTo(SocketAddresses.NOT_PACKED);
    }
  }
}
