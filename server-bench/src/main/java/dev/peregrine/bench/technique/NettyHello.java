package dev.peregrine.bench.technique;

import dev.peregrine.bench.compare.server.CachedDate;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Netty's HTTP codec on event loops of {@code java.nio} or of its epoll. Field lines are not
 * validated; the response has the fields of Peregrine's.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures arrive at exceptionCaught
final class NettyHello {
  private static final AsciiString SERVER = AsciiString.cached("Peregrine");
  private static final AsciiString TYPE = AsciiString.cached("text/plain; charset=utf-8");
  private static final DefaultHttpHeadersFactory FIELDS =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);

  private final byte[] content;
  private final AsciiString length;
  private final EventLoopGroup group;
  private final Class<? extends ServerChannel> listener;
  private volatile AsciiString date = new AsciiString(CachedDate.now());

  /**
   * Creates a server that doesn't listen yet.
   *
   * @param wantsEpoll whether to run on epoll where the build has it, which is Linux on x86-64
   */
  NettyHello(boolean wantsEpoll, int loops, String content) {
    this.content = content.getBytes(StandardCharsets.US_ASCII);
    length = AsciiString.cached(Integer.toString(content.length()));
    boolean epoll = wantsEpoll && Epoll.isAvailable();
    listener = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    group =
        new MultiThreadIoEventLoopGroup(
            loops, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    System.out.println("netty on " + listener.getSimpleName());
  }

  /** Listens on all addresses, and returns the port. */
  int start() {
    group.next().scheduleAtFixedRate(this::renewDate, 1, 1, TimeUnit.SECONDS);
    Channel bound =
        new ServerBootstrap()
            .group(group)
            .channel(listener)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel accepted) {
                    accepted
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(new HttpDecoderConfig().setValidateHeaders(false)))
                        .addLast(new Answering());
                  }
                })
            .bind(0)
            .syncUninterruptibly()
            .channel();
    return ((InetSocketAddress) bound.localAddress()).getPort();
  }

  void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void renewDate() {
    date = new AsciiString(CachedDate.now());
  }

  private final class Answering extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        DefaultFullHttpResponse response =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.OK,
                Unpooled.wrappedBuffer(content),
                FIELDS,
                FIELDS);
        response
            .headers()
            .set(HttpHeaderNames.SERVER, SERVER)
            .set(HttpHeaderNames.DATE, date)
            .set(HttpHeaderNames.CONTENT_TYPE, TYPE)
            .set(HttpHeaderNames.CONTENT_LENGTH, length);
        context.write(response, context.voidPromise());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      context.close();
    }
  }
}
