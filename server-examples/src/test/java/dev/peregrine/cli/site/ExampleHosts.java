package dev.peregrine.cli.site;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Finds hosts whose names end with {@code .example}, which exist nowhere (RFC 2606 section 2), at
 * the loopback address, so that clients of tests name them as any client does.
 */
public final class ExampleHosts extends InetAddressResolverProvider {
  @Override
  public InetAddressResolver get(Configuration configuration) {
    InetAddressResolver builtIn = configuration.builtinResolver();
    return new InetAddressResolver() {
      @Override
      public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
          throws UnknownHostException {
        return host.toLowerCase(Locale.ROOT).endsWith(".example")
            ? Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
            : builtIn.lookupByName(host, policy);
      }

      @Override
      public String lookupByAddress(byte[] address) throws UnknownHostException {
        return builtIn.lookupByAddress(address);
      }
    };
  }

  @Override
  public String name() {
    return "example hosts";
  }
}
